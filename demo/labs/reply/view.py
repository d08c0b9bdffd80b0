"""The blocks of the Reply page: the chat, the opened reply with its player, the beam ranked anew, and how varied searches are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, resources, state
from demo.blocks import answer, steer_from
from demo.blocks.answer import LOG_P
from demo.blocks.heading import titled
from demo.blocks.player import play, player, showing
from demo.blocks.source import model_menu, search_menu
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_table
from demo.examples import CONVERSATIONS
from demo.labs.reply import LAB, LONGEST, READ, TASK, capitalised, conversation, expected, variety
from demo.query import Query
from demo.tasks import TASKS
from demo.wording import plain, shortened, signed
from seq2seq_core.inputs.turns import BETWEEN, tidied, turns_of
from seq2seq_core.trace.reranking import less_expected

if TYPE_CHECKING:
    from seq2seq_core.trace.trace import DecodeTrace

SAID, PROBLEM = "said", "reply_problem"  # in the session: the box to type in, and what was wrong with what was typed
FACES = {"user": ":material/person:", "assistant": ":material/smart_toy:"}
GIVEN = Figure("log p given", tip="log p(reply | conversation): what the search looks for.")
ANYWAY = Figure(
    "log p anyway", tip="log p(reply): by a language model of replies, which does not know what was said. High: it fits everywhere."
)
SCORE = Figure("score", tip="(log p given − λ log p anyway) / length ^ the search’s length normalisation: the best is the highest.")
DISTINCT = Figure("distinct-2", tip="Of all pairs of neighbouring words in the replies, the share that are different ones.")
WORDS = Figure("words", tip="Mean length of a reply.")


# -- what was said --------------------------------------------------------------------------------------------------------------


def turns_now() -> list[str]:
    return turns_of(state.current(state.CONTEXT))


def begin(turns: Sequence[str]) -> None:
    """A conversation of these turns, of which the last is to be answered."""
    st.session_state.pop(state.CONTEXT.key, None)  # what the box of another page left
    state.remember(state.CONTEXT, conversation(turns) or BETWEEN)  # else it would be the one that the page opens with
    state.remember(state.TURN, state.TURN.default)
    state.remember(state.HYPOTHESIS, state.HYPOTHESIS.default)
    play()


def say(reply: str) -> None:
    """Callback: what was typed follows the reply that stands there."""
    typed = tidied(st.session_state[SAID] or "")
    if not typed:
        st.session_state[PROBLEM] = "Nothing was typed; say something."
    elif len(typed) > LONGEST:
        st.session_state[PROBLEM] = f"What was typed has {len(typed):,} characters; at most {LONGEST} are allowed, so shorten it."
        st.session_state[SAID] = st.session_state[SAID]  # stays in the box
    else:
        begin([*turns_now(), *filter(None, [reply]), typed])


def heading() -> None:
    """Openings, each of which begins anew."""
    with titled(LAB.title), st.container(horizontal=True, wrap=False, width="stretch", gap="small"):
        for place, example in enumerate(CONVERSATIONS):
            turns = turns_of(example.text)
            st.button(
                plain(shortened(turns[0])),
                key=f"example_{place}",
                type="tertiary",
                help=plain(example.shows),
                on_click=begin,
                args=(turns,),
            )


# -- the page -------------------------------------------------------------------------------------------------------------------


def page() -> None:
    """The chat, and beside it one reply as the player shows it."""
    left, right = st.columns([6, 7], gap="medium")
    with left:
        said = st.container()
        values = {**state.current_values(), **settings()}
    turns = turns_now()
    if not turns:
        with said:
            st.info("Say something, or take one of the examples above.", icon=":material/edit:")
            box("")
        return
    (newest,) = LAB.queries({**values, state.TURN.key: 0}).values()
    trace = answer.trace_of(newest)
    order, priors = ranked(trace)
    taken = chosen(order)
    (query,) = LAB.queries(values).values()
    with said:
        chat(turns, capitalised(trace.hypotheses[taken].answer, newest.text))
    with right:
        opened(query, answer.trace_of(query), 0 if query.target else taken)
    with left:
        beam(newest, trace, order, priors)
    varied()
    told(newest)


def told(query: Query) -> None:
    st.caption(
        f"A small model that makes things up: it reads the last {READ} turns and remembers nothing else, knows no facts, no times and no "
        "prices, and has met nobody. It says what people say in such a place, and contradicts itself without noticing."
    )
    if learnt := answer.learnt(query.model_id):
        st.caption(plain(learnt))


# -- the chat -------------------------------------------------------------------------------------------------------------------


def chat(turns: Sequence[str], reply: str) -> None:
    """Every turn, and the reply to the last; what the model does not see stands above a line. The model has said every other one."""
    shown = [*turns, reply]
    with st.container(key="chat", height=380 if len(shown) > 4 else "content", border=False, autoscroll=True):
        for place, turn in enumerate(shown, 1):
            if place == len(turns) - READ + 1 and place > 1:
                st.caption(f"From here on the model reads: the last {READ} turns.")
            by_model = (len(shown) - place) % 2 == 0
            with st.chat_message("assistant" if by_model else "user", avatar=FACES["assistant" if by_model else "user"]):
                said = st.container(horizontal=True, vertical_alignment="center", gap="small")
                with said:
                    st.markdown(plain(turn) or "…", width="stretch")
                    if by_model and place > 1:
                        _opener(place if place < len(shown) else 0)
    box(reply)


def box(reply: str) -> None:
    """Where the next turn is typed, which follows the reply; and what was wrong with the last one."""
    st.chat_input("Say something", key=SAID, on_submit=say, args=(reply,))
    problem = st.session_state.pop(PROBLEM, "")
    if problem:
        st.error(problem, icon=":material/error:")


def _opener(place: int) -> None:
    """Shows how a turn came about, or what the model thinks of one that it has not said."""
    label, icon = ("Shown", ":material/visibility:") if state.current(state.TURN) == place else ("Show", ":material/visibility_off:")
    told = "In the player, word by word."
    st.button(label, key=f"open_{place}", icon=icon, type="tertiary", help=told, on_click=open_turn, args=(place,))


def open_turn(place: int) -> None:
    """Callback."""
    state.remember(state.TURN, place)
    state.remember(state.HYPOTHESIS, state.HYPOTHESIS.default)
    play()


def settings() -> dict[str, str]:
    """The model and the search, and a way to begin anew; the model's field with what its menu shows."""
    row = TASKS[TASK]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=130):
            shown = {row.model.key: model_menu(row)}
        search_menu(row, shown)
        st.button("Clear", key="clear", icon=":material/delete_sweep:", help="Begin a new conversation.", on_click=begin, args=([],))
    return shown


# -- the reply ------------------------------------------------------------------------------------------------------------------


def ranked(trace: DecodeTrace) -> tuple[list[tuple[int, float]], list[float]]:
    """The hypotheses as λ ranks them, each by its place in the trace with its score; and log p(reply) of each place."""
    counts = trace.settings.search == "beam" and not state.simple()  # only then is a prior shown or weighed
    asked = [expected(found.answer) for found in trace.hypotheses] if counts else []
    if not asked or not all(asked):
        return [(place, found.score) for place, found in enumerate(trace.hypotheses)], []
    for query in filter(None, asked[:1]):
        answer.load(query.model_id)
    priors = [resources.answer(query).hypotheses[0].total for query in filter(None, asked)]
    return list(less_expected(trace, priors, state.current(state.LAMBDA))), priors


def chosen(order: Sequence[tuple[int, float]]) -> int:
    """The hypothesis that is the reply: the best, or the one that was clicked in the table."""
    return order[min(state.current(state.HYPOTHESIS), len(order)) - 1][0]


def opened(query: Query, trace: DecodeTrace, hypothesis: int) -> None:
    """The reply that is looked at, and its player."""
    shown = showing(LAB.name, query)
    said = capitalised(trace.hypotheses[hypothesis].answer, query.text)
    note = "What the model thinks of this turn: it was said by a person, or chosen earlier." if query.target else ""
    answer.result_line(trace, hypothesis, text=said, note=note, narrow=True)
    hear = steer_from.hear(query, trace, hypothesis)
    player(trace, hypothesis, layout=shown.layout(), actions=steer_from.actions(query), on_click=hear)
    steer_from.lead()


def beam(query: Query, trace: DecodeTrace, order: Sequence[tuple[int, float]], priors: Sequence[float]) -> None:
    """The stored beam, and λ, which ranks it anew."""
    if trace.settings.search != "beam":
        return
    if priors:
        controls.number(state.LAMBDA)
    taken, rows = chosen(order), []
    for place, (at, score) in enumerate(order, 1):
        found = trace.hypotheses[at]
        values = [signed(score), signed(found.total), *([signed(priors[at])] if priors else [])]
        said = capitalised(found.answer, query.text)
        rows.append(Row(str(place), said, () if state.simple() else tuple(values), chosen=at == taken))
    columns = [SCORE, GIVEN if priors else LOG_P, *([ANYWAY] if priors else [])]
    title = "What else it might have said"
    output_table(rows, () if state.simple() else columns, key="n_best", title=title, header="reply", on_choose=lambda: _choose(len(rows)))


def _choose(count: int) -> None:
    """Callback: another reply, which the conversation goes on from."""
    place = choice("n_best", count)
    if place is not None:
        state.remember(state.HYPOTHESIS, place + 1)
        state.remember(state.TURN, state.TURN.default)
        play()


def varied() -> None:
    """How different the replies to our own conversations are, by search; measured once, with the shipped model."""
    found = variety()
    if not found or state.simple():
        return
    rows = [Row(row["way"], row["most"], (f"{row['distinct2']:.2f}", f"{row['words']:.1f}", f"{row['times']}")) for row in found["rows"]]
    columns = (DISTINCT, WORDS, Figure("times", tip=f"To so many of the {found['contexts']} conversations."))
    note = f"Replies of {found['model']} to {found['contexts']} conversations that were written for this lab."
    output_table(rows, columns, key="varied", title="The safe answer, counted", header="what it says most often", note=note, dense=True)

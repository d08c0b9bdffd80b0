"""The blocks of the Steer page: ranking, tree, before and after, player, forced words, attention."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from demo import controls, resources, state, steering_bench
from demo.components.beam_tree import beam_tree, chosen_node
from demo.components.beam_tree_data import tree_data
from demo.components.outputs import Figure, Row, chosen_row, output_line, output_table
from demo.components.player import attention_player
from demo.components.player_data import PlayerLayout, PlayerOptions, player_data
from demo.components.row_editor import oracle_data, row_change, row_data, row_editor
from demo.plain import plain
from demo.steering_bench import Bench
from demo.steering_edits import chosen_steps, force, hide, put_all_rows, put_row, remove_row, unforce
from demo.widgets import LOG_P, TOKENS, signed
from seq2seq_core.errors import InputError

if TYPE_CHECKING:
    from seq2seq_core.steering import Steering

TREE_HEIGHT = 370
LANGUAGES = {"translation": "en"}


def language_of(bench: Bench) -> str:
    return LANGUAGES.get(bench.trace.task, "")


def shown(token: str) -> str:
    return "end" if token == "</s>" else token.strip() or token


# -- the result, and what the edits changed -------------------------------------------------------------------------------


def result(bench: Bench) -> None:
    """The best output; with edits, before and after."""
    if bench.steering:
        before_and_after(bench)
        return
    best = bench.ranking.ranked[0]
    text = bench.pipeline.target_tokenizer.decode(list(bench.trace.token_ids(node=best.node)))
    figures = [
        replace(LOG_P, value=signed(best.total)),
        Figure("score", signed(best.score), f"log-probability / length ^ {bench.ranking.length_penalty:g}"),
        replace(TOKENS, value=str(best.length)),
    ]
    output_line(text, figures, key="result", language=language_of(bench))
    undo_bar()


def before_and_after(bench: Bench) -> None:
    one, other = bench.free.hypotheses[0], bench.ranking.ranked[0]
    text = bench.pipeline.target_tokenizer.decode(list(bench.trace.token_ids(node=other.node)))
    spans = differing(one.text, text)
    kl, step = shift(bench)
    rows = [
        Row("before", one.text, (signed(one.total), ""), marked=spans[0]),
        Row("after", text, (signed(other.total), signed(other.total - one.total)), marked=spans[1]),
    ]
    change = Figure("change", tip="Log-probability after less before.")
    note = "" if kl is None else f"Step {step + 1}: the output distribution moved by KL {kl:.2f} nat."
    output_table(rows, (LOG_P, change), key="before_after", title="Before and after", note=note, language=language_of(bench))
    trail(bench)


def differing(one: str, other: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """The part of each text that the other does not share: what stands between their common words at both ends."""
    a, b = one.split(" "), other.split(" ")
    begin = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    end = 0
    while end < min(len(a), len(b)) - begin and a[-1 - end] == b[-1 - end]:
        end += 1
    spans = []
    for text, words in ((one, a), (other, b)):
        start = min(len(" ".join([*words[:begin], ""])), len(text))
        spans.append((start, max(start, len(" ".join(words[: len(words) - end])))))
    return spans[0], spans[1]


def shift(bench: Bench) -> tuple[float | None, int]:
    """KL between the output distributions at the changed step without and with the changed attention, after the same words."""
    if not (bench.steering.rows or bench.steering.hidden):
        return None, 0
    from seq2seq_core.explanations import kl_divergence, next_logprobs
    from seq2seq_core.steering import Steering

    steps = [row.step for row in bench.steering.rows]
    step = bench.step if bench.step in steps or not steps else steps[-1]
    tokens = bench.trace.token_ids()
    if step >= len(tokens):
        return None, 0
    earlier = Steering(rows=tuple(row for row in bench.steering.rows if row.step < step)) if steps else Steering()
    encoded = bench.encoded()
    own, changed = (next_logprobs(bench.pipeline, encoded, tokens, step, edits) for edits in (earlier, bench.steering))
    return kl_divergence(own, changed), step


def trail(bench: Bench) -> None:
    """What was done, each with a button that takes it away; undo, redo, start again."""
    known = steering_bench.history()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for i, (said, rest) in enumerate(list_edits(bench)):
            st.button(
                plain(said), key=f"edit_{i}", icon=":material/close:", help="Take this edit away",
                on_click=partial(steering_bench.apply, bench, lambda rest=rest: rest, f"took away: {said}", bench.step),
            )  # fmt: skip
        st.space("stretch")
        st.button("Undo", icon=":material/undo:", disabled=not known.can_undo, on_click=steering_bench.undo, help=plain(known.now.done))
        st.button("Redo", icon=":material/redo:", disabled=not known.can_redo, on_click=steering_bench.redo)
        st.button("Reset", icon=":material/restart_alt:", on_click=steering_bench.reset, help="Take all edits away")


def undo_bar() -> None:
    """Without an edit there may still be something to undo or redo."""
    known = steering_bench.history()
    if known.can_undo or known.can_redo:
        with st.container(horizontal=True, gap="small"):
            st.button("Undo", icon=":material/undo:", disabled=not known.can_undo, on_click=steering_bench.undo)
            st.button("Redo", icon=":material/redo:", disabled=not known.can_redo, on_click=steering_bench.redo)


def list_edits(bench: Bench) -> list[tuple[str, Steering]]:
    """Each edit in words, with the steering that is left without it."""
    steering, tokens = bench.steering, bench.trace.tokens()
    found = [
        (f"step {step + 1}: “{shown(tokens[step])}” forced", unforce(steering, step, bench.own))
        for step in chosen_steps(steering, bench.trace, bench.own)
    ]
    for row in steering.rows:
        reach = " and on" if row.onward else ""
        found.append((f"step {row.step + 1}{reach}: attention moved", remove_row(steering, row.step, bench.own)))
    for place in steering.hidden:
        word = bench.trace.source.tokens[place] if bench.trace.source.tokens else str(place)
        found.append((f"“{word}” masked", hide(steering, [i for i in steering.hidden if i != place])))
    return found


# -- tree and outputs -----------------------------------------------------------------------------------------------------


def tree(bench: Bench) -> None:
    data = tree_data(
        bench.trace, bench.ranking, bench.greedy, bench.rest, chosen=bench.node, forced=chosen_steps(bench.steering, bench.trace, bench.own)
    )
    beam_tree(data, key="tree", height=TREE_HEIGHT, on_choose=lambda: _take_node(bench, chosen_node("tree")))


def _take_node(bench: Bench, node: int | None) -> None:
    if node is not None and node < len(bench.trace.nodes):
        steering_bench.choose(bench, node)


def ranked(bench: Bench) -> None:
    """All outputs under the chosen rule, with the places they had in the search."""
    table, tokenizer, ranking = bench.trace, bench.pipeline.target_tokenizer, bench.ranking
    first = bench.played.hypotheses[0].node
    rows = [
        Row(
            str(place + 1), tokenizer.decode(list(table.token_ids(node=one.node))),
            (signed(one.score), signed(one.total), moved(one.before, place)), chosen=one.node == first,
        )
        for place, one in enumerate(ranking.ranked[:10])
    ]  # fmt: skip
    score = Figure("score", tip=f"log-probability / length ^ {ranking.length_penalty:g}")
    was = Figure("was", tip="The place under the rule of the search itself.")
    output_table(
        rows, (score, LOG_P, was), key="ranked", title="Outputs", note=rule(bench), language=language_of(bench),
        on_choose=lambda: _take_output(bench),
    )  # fmt: skip


def _take_output(bench: Bench) -> None:
    row = chosen_row("ranked")
    if row is not None and row < len(bench.ranking.ranked):
        steering_bench.look_at(bench.ranking.ranked[row].node)
        state.remember(state.STEP, state.STEP.default)


def moved(before: int, now: int) -> str:
    return f"{before + 1}" + (" ▲" if before > now else " ▼" if before < now else "")


def rule(bench: Bench) -> str:
    """What re-ranking did, and how far it can be trusted."""
    ranking, own = bench.ranking, bench.trace.settings
    if own.search != "beam" or (ranking.kept == own.beam_size and ranking.length_penalty == own.length_penalty):
        return ""
    flips = f"{ranking.flips} {'pair has' if ranking.flips == 1 else 'pairs have'} changed places."
    if ranking.leaves_tree is not None:
        return (
            f"{flips} From step {ranking.leaves_tree + 1} on this search would look at nodes that were never computed: "
            "the best may lie outside this tree."
        )
    return f"{flips} Read from the stored tree, without a model call; a new search has the same best output."


# -- player ---------------------------------------------------------------------------------------------------------------


def player(bench: Bench, height: int = 400) -> None:
    """The chosen path with its own attention; a click on it chooses a step."""
    attention_player(
        player_data(bench.played), key="player", options=state.player_options(), layout=PlayerLayout(height=height, panel=False),
        on_options=_remember_player, on_click=lambda: _take_click(bench),
    )  # fmt: skip


def _remember_player() -> None:
    reported = (st.session_state.get("player") or {}).get("options")
    if reported:
        state.remember_player(PlayerOptions.from_dict(reported))


def _take_click(bench: Bench) -> None:
    click = (st.session_state.get("player") or {}).get("click") or {}
    node = click.get("node")
    if isinstance(node, int):
        _take_node(bench, node)


# -- force a word ---------------------------------------------------------------------------------------------------------


def step_title(bench: Bench) -> str:
    before = bench.before()
    return f"Step {bench.step + 1}, after “{before}”" if before else f"Step {bench.step + 1}, at the beginning"


def step_buttons(bench: Bench) -> None:
    """One step back and on along the path that is played."""
    path = bench.played.path()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for name, icon, to in (("Step back", "chevron_left", bench.step - 1), ("Step on", "chevron_right", bench.step + 1)):
            inside = 0 <= to < len(path)
            target = path[to].id if inside else 0
            st.button(name, icon=f":material/{icon}:", disabled=not inside, on_click=steering_bench.choose, args=(bench, target))


def candidates(bench: Bench) -> None:
    """The distribution at the step; a click forces one of its tokens."""
    path = bench.played.path()
    node = path[min(bench.step, len(path) - 1)]
    rows = [
        Row(
            "", shown(one.token), (f"{math.exp(one.logprob):.2f}", signed(one.logprob)), share=math.exp(one.logprob),
            chosen=one.token_id == node.token_id,
        )
        for one in node.candidates
    ]  # fmt: skip
    figures = (Figure("p", tip="Probability after these words."), Figure("log p", tip="Its natural logarithm."))

    def take() -> None:
        row = chosen_row("candidates")
        if row is not None and row < len(node.candidates):
            one = node.candidates[row]
            say(bench, (one.token_id,), shown(one.token))

    title, language = step_title(bench), language_of(bench)
    output_table(rows, figures, key="candidates", title=title, header="click to force", on_choose=take, language=language)


def say(bench: Bench, tokens: tuple[int, ...], word: str) -> None:
    """Force tokens at the step; when every word is chosen by hand, go on to the next step."""
    onward = len(tokens) if state.current(state.EVERY_WORD) else 0
    steering_bench.apply(
        bench, lambda: force(bench.steering, bench.kept, tokens), f"“{word}” forced at step {bench.step + 1}", bench.step + onward
    )


def own_word(bench: Bench) -> None:
    """Any word at all, typed."""

    def take() -> None:
        word = st.session_state.get("typed_word", "")
        try:
            tokens = bench.pipeline.prefix(word).prefix
        except InputError as error:
            st.session_state[steering_bench.REFUSED] = str(error)
            return
        if tokens:
            st.session_state["typed_word"] = ""
            say(bench, tokens, word.strip())

    st.text_input("Or type any word, and press Enter", key="typed_word", on_change=take, placeholder="blue")


def force_a_word(bench: Bench) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        step_buttons(bench)
        controls.flag(state.EVERY_WORD)
    candidates(bench)
    own_word(bench)


def word_by_word(bench: Bench) -> None:
    """What the student's words have cost so far, beside the model's own output."""
    mine, own = bench.trace.path(), bench.free.path()
    done = len(bench.steering.prefix)
    rows = []
    for step, node in enumerate(mine[:done]):
        other = own[min(step, len(own) - 1)]
        values = (signed(node.logprob), signed(node.total), shown(other.token) if step < len(own) else "", signed(other.total))
        rows.append(Row(str(step + 1), shown(node.token), (*values, signed(node.total - other.total))))
    columns = (
        Figure("log p"), Figure("your total", tip="Sum of the log-probabilities so far."), Figure("model says"),
        Figure("its total"), Figure("behind", tip="Your total less the model's at the same step."),
    )  # fmt: skip
    if rows:
        end = "" if mine[done - 1].token == "</s>" else f"The model would go on: “{_rest(bench, done)}”"
        output_table(rows, columns, key="word_by_word", title="Your words against the model's", header="your word", note=end)


def _rest(bench: Bench, done: int) -> str:
    return bench.pipeline.target_tokenizer.decode(list(bench.trace.token_ids()[done:])).strip()


# -- attention ------------------------------------------------------------------------------------------------------------


def move_attention(bench: Bench) -> None:
    """The row of the step as bars to drag. A picture's cells would get an editor of their own here."""
    trace = bench.played
    if trace.attention().shape[1] == 0:
        st.info("This model has no attention row to change: it receives one vector. Choose another model.", icon=":material/info:")
        return
    row = trace.attention()[bench.step]
    edit = bench.steering.row_at(bench.step)
    output_line(shown(trace.tokens()[bench.step]), [Figure("", step_title(bench))], key="row_step", language=language_of(bench))
    step_buttons(bench)
    data = row_data(
        trace.source.tokens, row.tolist(), own_row(bench), step=bench.step, hidden=bench.steering.hidden, onward=bool(edit and edit.onward)
    )
    row_editor(data, key="row", on_change=lambda: take_row(bench, "row"))


def own_row(bench: Bench) -> list[float]:
    """The model's own row at the step, after the words before it and with the same words hidden."""
    if not bench.steering.rows:
        weights: list[float] = bench.played.attention()[bench.step].tolist()
        return weights
    rows = tuple(row for row in bench.steering.rows if row.step < bench.step)
    plain_rows = replace(bench.steering, rows=rows, prefix=(), tokens=())
    target = bench.tokens[: bench.step + 1]
    forced = bench.pipeline.score(bench.encoded(), target, steering=plain_rows)
    again: list[float] = forced.attention()[bench.step].tolist()
    return again


def take_row(bench: Bench, key: str) -> None:
    change = row_change(key)
    if change is None:
        return
    if change.hidden is not None:
        hidden = change.hidden
        steering_bench.apply(bench, lambda: hide(bench.steering, hidden), "masked words changed", bench.step)
    elif change.row is None:
        steering_bench.apply(bench, lambda: remove_row(bench.steering, change.step, bench.own), "the model's own row again", change.step)
    else:
        weights = change.row
        steering_bench.apply(
            bench, lambda: put_row(bench.steering, bench.tokens[: change.step], weights, onward=change.onward),
            f"attention moved at step {change.step + 1}", change.step,
        )  # fmt: skip


def oracle(bench: Bench) -> None:
    """Rows for a whole sentence by hand: suppose an oracle told the model where to look."""
    trace = bench.trace
    if trace.attention().shape[1] == 0:
        return
    st.caption("Suppose an oracle told you where to look. Click one source token per step; the model decodes with these rows.")
    given = {row.step: row for row in bench.steering.rows if not row.onward}
    data = oracle_data(
        trace.source.tokens, [shown(token) for token in trace.tokens()], trace.attention().tolist(),
        [step in given for step in range(len(trace.tokens()))], bench.steering.hidden,
    )  # fmt: skip

    def take() -> None:
        change = row_change("oracle")
        if change is None:
            return
        rows = [given[step].weights if step in given else None for step in range(max([change.step, *given]) + 1)]
        rows[change.step] = change.row
        steering_bench.apply(bench, lambda: put_all_rows(bench.steering, rows), f"the oracle spoke at step {change.step + 1}", change.step)

    row_editor(data, key="oracle", on_change=take)
    target = state.current(state.TARGET).strip()
    if target and given:
        request = replace(bench.request, edits="")
        own, told = (resources.score(one, target).hypotheses[0] for one in (request, replace(request, edits=steering_text(bench))))
        better = "better" if told.total > own.total else "worse"
        st.write(
            f"For your reference the oracle does **{better}**: log p {signed(told.total)} with these rows, "
            f"{signed(own.total)} with the model's own."
        )
    elif given:
        st.caption("Give a reference under “whose error” to see whether the oracle helps the model to say it.")


def steering_text(bench: Bench) -> str:
    from demo.edits import write_edits

    return write_edits(replace(bench.steering, prefix=(), tokens=()))

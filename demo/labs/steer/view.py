"""The blocks of the Steer page: ranking, tree, before and after, player, forced words, attention."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from demo import lab, state, wording
from demo.blocks import player as blocks
from demo.blocks.answer import LOG_P, TOKENS
from demo.blocks.export_menu import export_menu
from demo.blocks.take_along import take_along
from demo.components.beam_tree.data import tree_data
from demo.components.beam_tree.mount import beam_tree
from demo.components.events import choice
from demo.components.outputs.mount import Figure, Row, output_line, output_table
from demo.components.player.data import PlayerLayout
from demo.fields import TextField
from demo.given import assets
from demo.labs.steer import bench as steering_bench
from demo.labs.steer.bench import Bench
from demo.labs.steer.edits import chosen_steps, hide, remove_row, unforce
from demo.tasks import TASKS
from demo.wording import counted, plain, score_rule, signed

if TYPE_CHECKING:
    import pandas as pd

    from seq2seq_core.trace.steering import Steering

TREE_HEIGHT = 370


def language_of(bench: Bench) -> str:
    return lab.language_of(bench.query.model_id)


def reference_field(bench: Bench) -> TextField:
    """The box for a student's own output, named after the task."""
    return replace(state.TARGET, label=TASKS[lab.task_of(bench.query.model_id)].own)


# -- the result, and what the edits changed -------------------------------------------------------------------------------


def result(bench: Bench) -> None:
    """The best output; with edits, before and after."""
    if bench.steering:
        before_and_after(bench)
        return
    text, total, score, length = shown_output(bench)
    figures = [] if state.simple() else [replace(LOG_P, value=signed(total)), replace(TOKENS, value=str(length))]
    if figures and score is not None:
        figures.insert(1, Figure("score", signed(score), score_rule(bench.ranking.length_penalty, listed=bench.trace.is_listed)))
    output_line(text, figures, key="result", language=language_of(bench), note=which_output(bench))
    undo_bar()


def shown_output(bench: Bench) -> tuple[str, float, float | None, int]:
    """What the player plays and the tree shows: its text, log-probability, score (of a whole output) and length."""
    if bench.place is None:
        node = bench.played.path()[-1]
        return f"{bench.played.text()} …", node.total, None, len(bench.played.path())
    one = bench.ranking.ranked[bench.place]
    return _text(bench, one.node), one.total, one.score, one.length


def which_output(bench: Bench) -> str:
    """Which one it is, when it is not the best."""
    if bench.place == 0:
        return ""
    best = f"the best is “{_text(bench, bench.ranking.ranked[0].node)}”"
    if bench.place is None:
        return f"A beginning that the search dropped; {best}."
    return f"Output {bench.place + 1}, the best through the chosen node; {best}."


def _text(bench: Bench, node: int) -> str:
    return bench.pipeline.target_tokenizer.decode(list(bench.trace.token_ids(node=node)))


def before_and_after(bench: Bench) -> None:
    one = bench.free.hypotheses[0]
    text, total, _, _ = shown_output(bench)
    spans = differing(one.text, text)
    kl, step = shift(bench)
    lines = [["before", one.text, signed(one.total), ""], ["after", text, signed(total), signed(total - one.total)]]
    columns = [LOG_P, Figure("change", tip="Log-probability after less before.")]
    if state.simple():
        lines, columns, kl = [line[:2] for line in lines], [], None
    target = state.current(state.TARGET).strip()
    if target and not state.simple():
        from seq2seq_core.training.metrics import bleu

        columns.append(Figure("BLEU", tip="Of this one output against your own, 0 to 100."))
        lines = [[*line, f"{bleu([line[1]], [target]):.0f}"] for line in lines]
    rows = [Row(lead, said, tuple(values), marked=span) for (lead, said, *values), span in zip(lines, spans, strict=True)]
    same = "The output stays the same." if one.text == text else ""
    moved = "" if kl is None else f"{bench.named(step).capitalize()}: the output distribution moved by KL {kl:.2f} nat."
    note = " ".join(filter(None, (same, moved, which_output(bench))))
    title = "Before and after"
    changed, done = st.columns([5, 3], gap="medium")
    with changed:
        key = "before_after_plainly" if state.simple() else "before_after"  # without the line below it has less room to keep
        output_table(rows, columns, key=key, title=title, header=title, note=note, language=language_of(bench))
    with done:
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
    from seq2seq_core.study.explanations import next_logprobs
    from seq2seq_core.study.measures import kl_divergence
    from seq2seq_core.trace.steering import Steering

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
    with st.container(horizontal=True, wrap=False, gap="small"):  # many scroll sideways: the player below stays on the screen
        for i, (said, rest) in enumerate(list_edits(bench)):
            st.button(
                plain(said), key=f"edit_{i}", icon=":material/close:", help="Take this edit away",
                on_click=partial(_take_away, bench, rest, said),
            )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        st.button("Undo", icon=":material/undo:", disabled=not known.can_undo, on_click=steering_bench.undo, help=plain(known.now.done))
        st.button("Redo", icon=":material/redo:", disabled=not known.can_redo, on_click=steering_bench.redo)
        st.button("Reset", icon=":material/restart_alt:", on_click=steering_bench.reset, help="Take all edits away")


def _take_away(bench: Bench, rest: Steering, said: str) -> None:
    steering_bench.apply(bench, lambda: rest, f"took away: {said}", bench.step)


def undo_bar() -> None:
    """Without an edit there may still be something to undo or redo."""
    known = steering_bench.history()
    if known.can_undo or known.can_redo:
        with st.container(horizontal=True, gap="small"):
            st.button("Undo", icon=":material/undo:", disabled=not known.can_undo, on_click=steering_bench.undo)
            st.button("Redo", icon=":material/redo:", disabled=not known.can_redo, on_click=steering_bench.redo)


def forced_words(bench: Bench) -> list[tuple[int, str]]:
    """What was forced, by whole words, each with its first step: a word that is typed may have several pieces."""
    tokens, groups = bench.trace.tokens(), bench.trace.hypotheses[0].groups
    found: dict[int, tuple[int, str]] = {}
    for step in chosen_steps(bench.steering, bench.trace, bench.own):
        word = [token for token, group in zip(tokens, groups, strict=True) if group == groups[step]]
        found.setdefault(groups[step], (step, wording.token("".join(word)) if len(word) > 1 else wording.token(tokens[step])))
    return list(found.values())


def list_edits(bench: Bench) -> list[tuple[str, Steering]]:
    """Each edit in words, with the steering that is left without it."""
    steering = bench.steering
    found = [(f"{bench.named(step)}: “{word}” forced", unforce(steering, step, bench.own)) for step, word in forced_words(bench)]
    for row in steering.rows:
        reach = " and on" if row.onward else ""
        found.append((f"{bench.named(row.step)}{reach}: attention moved", remove_row(steering, row.step, bench.own)))
    if bench.asset is not None and steering.hidden:
        count = len(steering.hidden)
        found.append((f"{counted(count, bench.cell)} blocked", hide(steering, ())))
        return found
    for place in steering.hidden:
        word = bench.trace.parts[0].labels[place]
        found.append((f"“{word}” masked", hide(steering, [i for i in steering.hidden if i != place])))
    return found


# -- tree and outputs -----------------------------------------------------------------------------------------------------


def tree(bench: Bench, height: int = TREE_HEIGHT) -> None:
    forced = chosen_steps(bench.steering, bench.trace, bench.own)
    data = tree_data(bench.trace, bench.ranking, bench.greedy, bench.rest, chosen=bench.cursor, forced=forced)
    beam_tree(
        data, key="tree", height=height, plain=state.simple(), on_choose=lambda: _take_node(bench, choice("tree", len(bench.trace.nodes)))
    )


def _take_node(bench: Bench, node: int | None) -> None:
    if node is not None and node < len(bench.trace.nodes):
        steering_bench.choose(bench, node)


def ranked(bench: Bench) -> None:
    """All outputs under the chosen rule, with the places they had in the search."""
    table, tokenizer, ranking, plainly = bench.trace, bench.pipeline.target_tokenizer, bench.ranking, state.simple()
    first = bench.played.hypotheses[0].node
    rows = [
        Row(
            str(place + 1), tokenizer.decode(list(table.token_ids(node=one.node))),
            () if plainly else (signed(one.score), signed(one.total), moved(one.before, place)), chosen=one.node == first,
        )
        for place, one in enumerate(ranking.ranked[:10])
    ]  # fmt: skip
    score = Figure("score", tip=score_rule(ranking.length_penalty, listed=table.is_listed))
    was = Figure("was", tip="The place under the rule of the search itself.")
    output_table(
        rows, () if plainly else (score, LOG_P, was), key="ranked", title="Outputs", note=rule(bench), language=language_of(bench),
        on_choose=lambda: _take_output(bench),
    )  # fmt: skip
    if not plainly:
        take_along(lambda: ranked_frame(bench), key="ranked_numbers", name="Outputs", tips={"score": score.tip, "before": was.tip})


def ranked_frame(bench: Bench) -> pd.DataFrame:
    """All of them, as numbers."""
    import pandas as pd

    decode, tree = bench.pipeline.target_tokenizer.decode, bench.trace
    lines = [
        (place, decode(list(tree.token_ids(node=one.node))), one.score, one.total, one.before + 1)
        for place, one in enumerate(bench.ranking.ranked, 1)
    ]
    return pd.DataFrame(lines, columns=["place", "output", "score", "logprob", "before"])


def _take_output(bench: Bench) -> None:
    row = choice("ranked", len(bench.ranking.ranked))
    if row is not None:
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
            f"{flips} From {bench.piece(ranking.leaves_tree)} on this search would look at nodes that were never computed: "
            "the best may lie outside this tree."
        )
    return f"{flips} Read from the stored tree, without a model call; a new search has the same best output."


# -- player ---------------------------------------------------------------------------------------------------------------


def player(bench: Bench, height: int) -> None:
    """The chosen path with its own attention; a click on it chooses a step."""
    layout = PlayerLayout(height=height, panel=False)
    with st.container(key="steered_player"):  # its room is kept while it comes
        blocks.player(bench.played, asset=bench.asset, layout=layout, on_click=lambda click: _take_node(bench, click.node))
    with st.container(width=160):
        export_menu(bench.played, 0, asset=bench.asset)
    if bench.asset is not None:
        st.caption(f"{bench.trace.parts[0].name.capitalize()}: {plain(assets.credit(bench.asset))}.")

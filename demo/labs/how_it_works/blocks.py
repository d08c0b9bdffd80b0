"""The blocks of How it works: the equations of every moment in the chosen letters, the vocabulary, and the six parts of the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from demo import letters, resources, state, tasks
from demo.blocks.comparison import by_wiring
from demo.components import with_id
from demo.components.equations.mount import equations_in_boxes, moving_equations, whole_vectors
from demo.components.player.data import PlayerLayout, PlayerOptions
from demo.components.player.mount import attention_player
from demo.labs.how_it_works.architectures import pairings, parts_table
from demo.labs.how_it_works.moments import Asked, moments
from demo.labs.how_it_works.self_attention import Which, head_names, map_data
from demo.labs.how_it_works.six_parts import six_parts
from demo.labs.how_it_works.view import Chosen, counts, run_of, source_names
from demo.wording import chance, plain, visible

if TYPE_CHECKING:
    from demo.blocks.source import Source
    from demo.query import Query
    from seq2seq_core.inputs.tokenizer import Tokenizer
    from seq2seq_core.trace.trace import DecodeTrace

MENU = "position_menu"
WIRING_MENU = "wiring_menu"
FOUND = 40  # pieces that a search in the vocabulary lists
PAIRS = "Encoder and decoder are two networks, and any architecture will do for either. Those of the models here:"


def position(trace: DecodeTrace, model_id: str) -> None:
    """Which source position the equations are written for; a click on a cell of the map chooses it too."""
    config = resources.pipeline(model_id).model.config
    if not config.has_map and config.body != "transformer":
        return
    sources = source_names(trace)
    st.session_state[MENU] = min(state.current(state.POSITION), len(sources))
    names = ["Most looked at", *(f"{j + 1}  {visible(name)}" for j, name in enumerate(sources))]
    st.selectbox(
        "Source position",
        range(len(names)),
        format_func=names.__getitem__,
        key=MENU,
        on_change=lambda: state.remember(state.POSITION, st.session_state[MENU]),
        label_visibility="collapsed",
        width=220,
    )


def wiring(source: Source) -> None:
    """Where the context goes, for a model of which there are both kinds."""
    field = source.row.model
    found = {name: info.variant for name, info in by_wiring(resources.installed(source.task)).items()}
    now = next((name for name, variant in found.items() if variant == source.values[field.key]), None)
    if now is None:
        return
    st.session_state[WIRING_MENU] = now
    st.segmented_control(
        "The context goes",
        list(found),
        key=WIRING_MENU,
        required=True,
        on_change=lambda: state.assign(field, found[st.session_state[WIRING_MENU]]),
    )


def equations(query: Query, hypothesis: int) -> None:
    """Those of every moment: the browser shows the one that the player is at."""
    moving_equations(moments(_asked(query, hypothesis))[0] | {"begin": state.current(state.SECTION)}, key="equations")


def _asked(query: Query, hypothesis: int) -> Asked:
    chosen = Chosen(state.current(state.WORDS), state.current(state.POSITION), state.current(state.HEAD))
    return Asked(query, hypothesis, chosen, state.current(state.LETTERS))


def self_attention(query: Query, trace: DecodeTrace, hypothesis: int) -> None:
    """A Transformer's other maps: the encoder's, and the decoder's at what it has said."""
    if resources.pipeline(query.model_id).model.config.body != "transformer":
        return
    inside = run_of(query, trace, hypothesis).inside
    st.subheader("Where positions look at each other", anchor=False)
    lettering = state.current(state.LETTERS)
    sides: tuple[Which, ...] = ("encoder", "decoder")
    for which, place in zip(sides, st.columns(2, gap="medium"), strict=True):
        with place:
            names = head_names(inside, which)
            what = "of the source at the source" if which == "encoder" else "of each step at the steps before it"
            chosen = st.selectbox(f"Self-attention {what}", ["Average of all heads", *names], key=f"self_attention_{which}")
            head = names.index(chosen) if chosen in names else None
            attention_player(
                map_data(trace, hypothesis, inside, which, letters.start_sign(lettering)),
                key=f"map_{which}",
                options=PlayerOptions(words=state.current(state.WORDS), head=head, fit=True),
                layout=PlayerLayout(height=320, panel=False, controls=False),
            )


def by_pytorch(query: Query, trace: DecodeTrace, hypothesis: int) -> None:
    """Multi-head attention is PyTorch's: its lines with these weights, run here and now, and the largest difference."""
    model = resources.pipeline(query.model_id).model
    if model.config.attention != "multi-head":
        return
    from demo.labs.how_it_works.torch_attention import differences, lines

    inside = run_of(query, trace, hypothesis).inside
    found = differences(model, inside)
    which = "This is" if len(found) == 1 else f"All {len(found)} looks are"
    whose = "this model's weights" if len(found) == 1 else "the weights of each"
    st.container(key="by_pytorch").markdown(
        f"**{which} `torch.nn.MultiheadAttention`.** With {whose} in it, over the {len(inside.tokens)} steps of this output, the "
        f"largest difference between its contexts and ours is {chance(max(found.values()))}."
    )
    with st.expander("The lines that were run", expanded=state.current(state.SECTION) == "library"):
        st.code(lines(), language="python")
        if len(found) > 1:
            st.table({"look": list(found), "largest difference": [chance(one) for one in found.values()]})


@st.fragment
def vocabulary(model_id: str) -> None:
    """The pieces with their indices, to be searched."""
    pipeline = resources.pipeline(model_id)
    with st.popover("Vocabulary", icon=":material/list:"):
        words = pipeline.target_tokenizer
        if pipeline.source_tokenizer is not None and not pipeline.model.config.share_embeddings:
            side = st.segmented_control("Of", ["output", "source"], default="output", required=True, key="vocabulary_side")
            words = pipeline.source_tokenizer if side == "source" else words
        sought = st.text_input("Find a piece", key="vocabulary_sought", autocomplete="off").strip().lower()
        st.caption(f"{words.size:,} entries, of which the first 4 are signs.")
        if not sought:  # every run of the page draws this: looking through all of them waits until somebody asks
            return
        found = [i for i in range(words.size) if sought in words.token(i).lower()]
        st.caption(f"{len(found):,} found{f', the first {FOUND} are listed' if len(found) > FOUND else ''}.")
        st.table(_listed(words, found[:FOUND]))


def _listed(words: Tokenizer, found: list[int]) -> dict[str, list[str]]:
    return {"index": [str(i) for i in found], "piece": [plain(visible(words.token(i))) for i in found]}


def parts(model_id: str) -> None:
    """The six parts of any such system, filled in for this one, and which networks any may be made of."""
    shares, model = counts(model_id), resources.pipeline(model_id)
    found = six_parts(model.model.config, model.card, shares, state.current(state.LETTERS))
    networks = {"Parameters": parts_table(model.model.config, shares)}
    boxes = [
        {"name": part.name, "says": letters.pieces(part.says), "lines": part.lines, "table": _columns(networks.get(part.name, {}))}
        for part in found
    ]
    pairs = pairings(info for task in tasks.TASKS for info in resources.installed(task))
    equations_in_boxes(
        with_id({"title": "The six parts of this system", "boxes": boxes, "says": PAIRS, "table": _columns(pairs)}), key="parts"
    )


def _columns(table: Mapping[str, list[str]]) -> list[tuple[str, list[str]]]:
    return list(table.items())


def numbers(query: Query, hypothesis: int) -> None:
    """All numbers of the vectors that the equations print, for whoever clicks on one: more of them than of all else, and so sent last."""
    whole_vectors(moments(_asked(query, hypothesis))[1], key="vectors")

"""Recipes: what a TOML file may say, and that shipped variants differ in the variant alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from seq2seq_core.errors import InputError
from seq2seq_core.inputs.tokenizer import EOS, PAD
from seq2seq_core.tasks import task_of
from seq2seq_core.training.readers import held_out
from seq2seq_core.training.recipe import DataSource, Recipe, prepare, read_recipe
from seq2seq_core.training.runner import run

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
VARIANTS = ["none", "every-step", "dot", "bilinear", "key-query", "multi-head"]


def recipe(name: str) -> Recipe:
    return read_recipe(CONFIGS / f"{name}.toml")


@pytest.mark.parametrize("task", ["translation", "transliteration"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_attention_variants_differ_in_the_attention_alone(task: str, variant: str) -> None:
    base, other = recipe(f"{task}-additive"), recipe(f"{task}-{variant}")
    assert other == replace(base, name=f"{task}/{variant}", model=replace(base.model, attention=variant))


@pytest.mark.parametrize("cell", ["rnn", "lstm"])
def test_cell_variants_differ_in_the_cell_alone(cell: str) -> None:
    for base, name in (("translation-additive", f"translation-additive-{cell}"), ("language-gru", f"language-{cell}")):
        first, other = recipe(base), recipe(name)
        assert other == replace(first, name=other.name, model=replace(first.model, cell=cell))


def test_the_input_wiring_differs_in_the_wiring_alone() -> None:
    base, other = recipe("translation-additive"), recipe("translation-additive-input")
    assert other == replace(base, name="translation/additive-input", model=replace(base.model, wiring="input"))


def test_going_on_with_more_clips_differs_in_how_many_and_in_the_schedule_alone() -> None:
    base, onward = recipe("clip-additive"), recipe("clip-onward")
    (clips,), schedule = base.train_data, replace(base.train, epochs=6, learning_rate=0.002)
    more = replace(base, begin=base.name, train=schedule, train_data=(replace(clips, rendered=42_000),), about=onward.about)
    assert onward == more
    assert {key for key in base.about if base.about[key] != onward.about[key]} == {"trained_on"}


def test_headlines_differ_in_copying_and_in_the_attention_alone() -> None:
    base, copying, none = (recipe(f"summary-{name}") for name in ("additive", "copy", "none"))
    assert copying == replace(base, name="summary/copy", model=replace(base.model, copying=True))
    assert none == replace(base, name="summary/none", model=replace(base.model, attention="none"))


def test_replies_differ_in_what_the_decoder_is_told_alone(tmp_path: Path) -> None:
    base, none, prior = (recipe(f"reply-{name}") for name in ("additive", "none", "prior"))
    assert none == replace(base, name="reply/none", model=replace(base.model, attention="none"))
    alone = replace(base.model, source="none", attention="none", share_embeddings=False)
    assert prior == replace(base, name="reply/prior", model=alone)
    (tmp_path / "replies").mkdir()
    for name in ("daily", "more", "dev"):
        (tmp_path / "replies" / f"{name}.tsv").write_text("Hello there.\tHow are you?\n", encoding="utf8")
    vocabularies = [prepare(one, tmp_path)[0].target_tokenizer.to_dict() for one in (base, prior)]
    assert vocabularies[0] == vocabularies[1]  # or the perplexities would be of other pieces


def test_long_sources_are_left_out_where_a_recipe_says_so(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("one two\tA\none two three\tB\n", encoding="utf8")
    assert DataSource(pairs="pairs.tsv", most_words=2).read(tmp_path) == [("one two", "A")]
    assert len(DataSource(pairs="pairs.tsv").read(tmp_path)) == 2


def test_every_recipe_can_be_read_and_names_its_data_and_licence() -> None:
    found = [read_recipe(path) for path in CONFIGS.glob("*.toml")]
    assert len(found) >= 15
    for one in found:
        assert one.train_data and one.dev_data
        assert {"trained_on", "licence", "attribution"} <= one.about.keys()
        assert task_of(one.name) == one.model.task


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[model]\nhiden = 3\n", "'hiden' is not a setting of ModelConfig"),
        ("[train]\nepochs = 0\n", "epochs is 0; it must be between 1"),
        ("[model\n", "is not valid TOML"),
        ('extends = "base.toml"\n[tokenizer]\nsize = 5\n', "it sets 'tokenizer'"),
        ('extends = "nowhere.toml"\n', "nowhere.toml cannot be read"),
        ('[[data.train]]\nlins = "x"\n', "'lins' is not a setting of DataSource"),
    ],
)
def test_a_wrong_recipe_is_refused_in_one_sentence(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "base.toml").write_text("")
    (tmp_path / "r.toml").write_text(content)
    with pytest.raises(InputError, match=sentence):
        read_recipe(tmp_path / "r.toml")


def test_a_recipe_without_data_says_so(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("")
    with pytest.raises(InputError, match="names no data"):
        prepare(read_recipe(tmp_path / "r.toml"), tmp_path)


def test_a_tenth_of_the_sentences_is_held_out_and_none_twice(tmp_path: Path) -> None:
    lines = [f"sentence number {number}" for number in range(2000)]
    (tmp_path / "pairs.tsv").write_text("".join(f"x\t{line}\n" for line in lines * 2))
    parts = {part: DataSource(targets_of="pairs.tsv", part=part).read(tmp_path) for part in ("all", "train", "held-out")}  # type: ignore[arg-type]
    assert [line for _, line in parts["all"]] == lines
    assert {line for _, line in parts["held-out"]} == {line for line in lines if held_out(line)}
    assert len(parts["train"]) + len(parts["held-out"]) == 2000
    assert 0.07 < len(parts["held-out"]) / 2000 < 0.13


def test_what_is_given_first_is_no_part_of_what_is_learnt_to_say(tmp_path: Path) -> None:
    lines = [f"A man sleeps . {n}\tA man is awake .\tcontradiction\twhy it is so\n" for n in range(40)]
    (tmp_path / "pairs.tsv").write_text("".join(lines))
    (tmp_path / "r.toml").write_text(
        '[model]\ntask = "entailment"\n[tokenizer]\nsize = 280\nlower = true\n'
        + "".join(f'[[data.{part}]]\nprompted = "pairs.tsv"\n' for part in ("train", "dev"))
    )
    dataset, _ = prepare(read_recipe(tmp_path / "r.toml"), tmp_path)
    example = dataset.examples(0)[0]
    said = dataset.target_tokenizer
    assert said.decode(example.target[: example.given]) == "a man is awake ."
    assert said.decode(example.target[example.given :]) == "contradiction"
    assert dataset.dev_inputs(40)[2] == ["A man is awake ."] * 40


def test_reasons_are_learnt_where_someone_wrote_them_and_nothing_where_nobody_did(tmp_path: Path) -> None:
    (tmp_path / "why.tsv").write_text(
        "A man sleeps .\tA man is awake .\tcontradiction\the ca n't be both , one excludes the other\tsleep\n" * 9
    )
    (tmp_path / "plain.tsv").write_text("A dog runs .\tA dog is fast .\tneutral\n" * 9)
    (tmp_path / "r.toml").write_text(
        '[model]\ntask = "entailment"\nreasons = true\n[tokenizer]\nsize = 280\nlower = true\n'
        '[[data.train]]\nprompted = "why.tsv"\nreasons = ":"\n[[data.train]]\nprompted = "plain.tsv"\n'
        '[[data.dev]]\nprompted = "plain.tsv"\n'
    )
    dataset, _ = prepare(read_recipe(tmp_path / "r.toml"), tmp_path)
    examples = dataset.examples(0)
    said = {dataset.target_tokenizer.decode(one.target[one.given :]): one.open for one in examples}
    reasons = "contradiction: he can't be both, one excludes the other", "contradiction: sleep"
    assert said == {"neutral:": True, **dict.fromkeys(reasons, False)}
    assert len(examples) == 27
    batch = dataset.batch([examples[0], examples[-1]])
    ends = [int(row[row != PAD][-1]) for row in batch.target_out]
    assert ends == [EOS, dataset.target_tokenizer.encode(":").ids[-1]], "no end is asked for where nobody wrote a reason"
    assert dataset.dev_inputs(9)[1] == [("neutral",)] * 9


def test_photos_are_limited_where_a_recipe_says_so(tmp_path: Path) -> None:
    rows = [f"train\t{photo}.jpg\t{place}\ta dog .\n" for photo in range(5) for place in range(3)]
    (tmp_path / "captions.tsv").write_text("split\timage\tidx\tcaption\n" + "".join(rows))
    found = DataSource(captions="captions.tsv", images="i", photos=2).read(tmp_path)
    assert [photo for photo, _ in found] == ["i/0.jpg"] * 3 + ["i/1.jpg"] * 3
    assert len(DataSource(captions="captions.tsv", images="i").read(tmp_path)) == 15


def test_some_lines_are_tidied_as_people_type(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("".join(f"a {n} , b .\tit 's {n} .\tneutral\n" for n in range(60)))
    found = DataSource(prompted="pairs.tsv", tidy=0.5).read(tmp_path)
    assert DataSource(prompted="pairs.tsv", tidy=0.5).read(tmp_path) == found
    tidy = [row for row in found if not row[0].endswith(" .")]
    assert 10 < len(tidy) < 50
    assert all(source.endswith(", b") and "it's" in prompt and not prompt.endswith(".") for source, _, prompt in tidy)


def test_a_recipe_may_take_over_the_vocabulary_of_the_model_that_it_begins_with(tmp_path: Path) -> None:
    for name, words in (("first", "a dog runs fast"), ("second", "quiet zebras yawn")):
        (tmp_path / f"{name}.tsv").write_text(f"{words}\t{words}\n" * 9)
        data = "".join(f'[[data.{part}]]\npairs = "{name}.tsv"\n' for part in ("train", "dev"))
        begin = {"first": "", "second": f'begin = "{tmp_path / "first"}"\nsame_pieces = true\n'}[name]
        model = "[model]\nhidden = 8\nembedding = 8\n[train]\nepochs = 1\nbatch_size = 4\n[tokenizer]\nsize = 275\n"
        (tmp_path / f"{name}.toml").write_text(begin + model + data)
        list(run(tmp_path / f"{name}.toml", tmp_path, tmp_path / name))
    assert (tmp_path / "second/tokenizer.json").read_text() == (tmp_path / "first/tokenizer.json").read_text()

"""What the words of this app mean: one sentence each, said where a word is met first."""

from __future__ import annotations

import re

TERMS = {
    "attention": "At each step the decoder gives every source position a weight; what it looks at most has the largest.",
    "beam": "A search that keeps the best few unfinished outputs at each step, not only the best one.",
    "BLEU": "How near outputs are to good translations, from 0 to 100, by the words and short phrases that both have.",
    "chrF": "How near an output is to a good translation, from 0 to 100, by the letters that both have.",
    "context": "The weighted sum of the encoder’s states: what the decoder is told of the source at a step.",
    "coverage": "How much of the source was looked at over all steps together; 1 would be all of it.",
    "decoder": "The network that writes the output, one token a step.",
    "encoder": "The network that reads the source and makes a state of each of its positions.",
    "entropy": "How widely weights or probabilities are spread, in bits: 0 when all lies on one, 1 bit when it lies on two alike.",
    "every-step": "Option 2: the decoder is told the same one vector of the source at every step.",
    "greedy": "A search that takes the likeliest token at each step and never looks back.",
    "key-query": "Attention by the product of a key, made of a source position, and a query, made of the decoder’s state.",
    "hypotheses": "The outputs that a search ended with, best first.",
    "log-probability": "The logarithm of a probability: 0 is certain, and the further below 0, the less probable.",
    "none": "Option 1, no attention: the decoder is told one vector of the source, once, at the beginning.",
    "oracle": "A person who says at each step where to look, in the place of the model’s attention.",
    "perplexity": "Among how many equally likely words a model was choosing, on average.",
    "score": "The log-probability of an output divided by a power of its length, so that short ones do not win unfairly.",
    "sequence-to-sequence": "What makes one sequence of another; mostly an encoder that reads and a decoder that writes.",
    "state": "The numbers in which a network keeps what it has read or written so far.",
    "token": "What a model writes in one step: a word or a piece of one.",
    "whose error": "A wrong output is the search’s error if the model likes the right one better, and else the model’s.",
    "</s>": "The end sign: when it is chosen, the output is over.",
}
MODELS = {  # what stands in the menus of models, in half a sentence
    "none": "Hears of the source once, as one vector.",
    "every-step": "Hears the same one vector at each step.",
    "dot": "Looks where source and state point the same way.",
    "bilinear": "The same, with a matrix in between.",
    "additive": "A small network says where to look.",
    "key-query": "Looks where its question fits the source’s keys.",
    "multi-head": "Looks with several eyes at once.",
    "additive-input": "Looks like additive, and then makes its next state.",
    "transformer": "Looks at the source and at its own words, and keeps no state.",
    "additive-rnn": "Looks like additive, with the simplest memory.",
    "additive-lstm": "Looks like additive, with an LSTM’s memory.",
    "english-sounds": "Says how an English word sounds.",
    "hindi-english": "Reads Hindi in Latin letters and says English.",
    "english-hindi": "Reads English and says Hindi in Latin letters.",
    "small": "A small one, soon trained.",
    "small-straight": "Small, with nothing between state and output.",
    "small-state": "Small; what it finds is its next state.",
    "mean": "Has the mean of all frames, in no order.",
    "question-only": "Reads the question and never sees the photo.",
    "hypothesis-only": "Reads the second sentence and never the first.",
    "copy": "Says words of the source too, from where it looks.",
    "soft": "Looks at all of the photo, here more and there less.",
    "hard": "Looks at one spot of the photo at a time.",
    "soft-coverage": "Looks like soft, and was taught to leave nothing out.",
    "why": "Answers, and then says why.",
    "prior": "Knows replies, and hears nothing of the conversation.",
    "rnn": "The simplest memory.",
    "gru": "A memory with two gates.",
    "lstm": "A memory with three gates and a cell.",
    "prose": "Has read novels.",
    "characters": "Writes letter by letter, with headings and links.",
}
# What only stands by itself: in running text these are everyday words, or a part of one.
LABELS = {
    "none": TERMS["none"],
    **{name: said for name, said in MODELS.items() if name not in TERMS},
    "log p": TERMS["log-probability"],
    "attention entropy": TERMS["entropy"],
    "dev score": "How good the model is on held-out data: BLEU for translation, exactly right words in percent for letters.",
}
IN_TEXT = {term: said for term, said in TERMS.items() if term not in LABELS}
_ANY = re.compile(
    "|".join(rf"(?<![\w-]){re.escape(term)}(?:s|es)?(?![\w-])" for term in sorted(TERMS, key=len, reverse=True)), re.IGNORECASE
)


def met(text: str) -> list[str]:
    """The terms that a text uses, each once, in the order in which they come."""
    said = {term.casefold(): term for term in TERMS}
    found = (said.get(word, said.get(word.removesuffix("s"), "")) for word in map(str.casefold, _ANY.findall(text)))
    return list(dict.fromkeys(filter(None, found)))

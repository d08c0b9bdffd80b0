"""The app: everything that knows Streamlit lives here; models, searches and traces live in seq2seq_core."""

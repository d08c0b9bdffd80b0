"""The app's entry: streamlit run streamlit_app.py"""

from demo.app import main

main()

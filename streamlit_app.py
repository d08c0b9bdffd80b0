"""The app's entry: streamlit run streamlit_app.py

Streamlit imports this file to serve it, and runs it as a script for every visit.
"""

if __name__ == "__main__":
    from demo.app import main

    main()
else:
    import streamlit as st
    from starlette.middleware import Middleware

    from demo.preview import SharedLinks, lifespan

    app = st.App(__file__, lifespan=lifespan, middleware=[Middleware(SharedLinks)])

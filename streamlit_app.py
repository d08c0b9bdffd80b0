"""The app's entry: streamlit run streamlit_app.py

Streamlit imports this file to serve it, and runs it as a script for every visit.
"""

if __name__ == "__main__":
    from demo.app import main

    main()
else:
    import streamlit as st
    from starlette.middleware import Middleware
    from streamlit.runtime.pages_manager import PagesManager

    from demo.components import served
    from demo.links.preview import SharedLinks, lifespan
    from demo.visitors.door import Door
    from demo.visitors.guard import Guard

    PagesManager.uses_pages_directory = (
        False  # else a server's first visitor gets pages/ as Streamlit's older kind of app, without the shell
    )
    served.SERVING = True
    between = [Middleware(Guard), Middleware(Door), Middleware(served.Components), Middleware(SharedLinks)]
    app = st.App(__file__, lifespan=lifespan, middleware=between)

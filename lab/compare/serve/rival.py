"""trafilatura behind FastAPI: what one writes today to clean pages over HTTP."""
import trafilatura
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse

app = FastAPI()


@app.post("/clean")
async def clean(request: Request):
    body = await request.body()
    return PlainTextResponse(trafilatura.extract(body) or "")

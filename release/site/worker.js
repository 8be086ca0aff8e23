// Search runs in a web worker, which browsers refuse to pages opened from a file. Here a hidden
// frame replaces the worker.
if (location.protocol === "file:") {
  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inner = frame.contentWindow;
      this.inner.postMessage = data => {
        const event = new MessageEvent("message", {data});
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      this.inner.importScripts = (...urls) => urls.reduce((before, u) => before.then(() => this.load(u)), Promise.resolve());
      this.ready = this.load(new URL(url, location.href).href);
    }
    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.inner.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = () => reject(new Error("cannot load " + url));
        this.inner.document.body.append(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new this.inner.MessageEvent("message", {data})));
    }
    terminate() {}
  }
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}

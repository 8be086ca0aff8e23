//! Runs an extractor over pages on one thread, and gives up pages that take too long.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, io};

use crate::rivals::Extract;

/// A page that takes longer counts as failed.
const LIMIT: Duration = Duration::from_secs(30);
/// Some extractors recurse once per level of the page; the memory is taken only when touched.
const STACK: usize = 4 << 30;
/// Failures that are told one by one.
const TOLD: usize = 3;

pub struct Done {
    pub pages: usize,
    pub failed: usize,
    pub bytes: u64,
}

struct Job {
    extract: Extract,
    pages: Vec<PathBuf>,
    folder: PathBuf,
    start: Instant,
    failed: AtomicUsize,
    bytes: AtomicU64,
}

/// One thread's progress; the one that watches may take its pages away.
struct Worker {
    page: AtomicUsize,
    since_ms: AtomicU64,
    given_up: AtomicBool,
}

/// Writes the text of every page to folder/<id>.txt.
pub fn run(extract: Extract, pages: Vec<PathBuf>, folder: PathBuf) -> Done {
    let start = Instant::now();
    let job = Arc::new(Job { extract, pages, folder, start, failed: AtomicUsize::new(0), bytes: AtomicU64::new(0) });
    let mut next = 0;
    while next < job.pages.len() {
        next = watch(&job, next);
    }
    Done { pages: job.pages.len(), failed: job.failed.load(SeqCst), bytes: job.bytes.load(SeqCst) }
}

/// Has a thread work from page `first` on, and returns the page to go on from.
fn watch(job: &Arc<Job>, first: usize) -> usize {
    let worker = Arc::new(Worker {
        page: AtomicUsize::new(first),
        since_ms: AtomicU64::new(job.start.elapsed().as_millis() as u64),
        given_up: AtomicBool::new(false),
    });
    let (finished, waiting) = mpsc::channel();
    let (j, w) = (job.clone(), worker.clone());
    let work = move || {
        work(&j, &w, first);
        let _ = finished.send(());
    };
    thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    loop {
        match waiting.recv_timeout(Duration::from_secs(1)) {
            Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => return job.pages.len(),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        let took = job.start.elapsed().as_millis() as u64 - worker.since_ms.load(SeqCst);
        if took > LIMIT.as_millis() as u64 {
            worker.given_up.store(true, SeqCst);
            let page = worker.page.load(SeqCst);
            job.fail(page, &format!("longer than {} s", LIMIT.as_secs()));
            job.write(page, "");
            return page + 1;
        }
    }
}

fn work(job: &Job, worker: &Worker, first: usize) {
    for (i, path) in job.pages.iter().enumerate().skip(first) {
        worker.page.store(i, SeqCst);
        worker.since_ms.store(job.start.elapsed().as_millis() as u64, SeqCst);
        let html = fs::read(path).unwrap_or_default();
        job.bytes.fetch_add(html.len() as u64, SeqCst);
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = catch_unwind(AssertUnwindSafe(|| (job.extract)(&id, &html))).unwrap_or_else(|_| Err("panics".into()));
        if worker.given_up.load(SeqCst) {
            return;
        }
        match text {
            Ok(text) => job.write(i, &text),
            Err(e) => {
                job.fail(i, &e);
                job.write(i, "");
            }
        }
    }
}

impl Job {
    fn fail(&self, page: usize, why: &str) {
        if self.failed.fetch_add(1, SeqCst) < TOLD {
            eprintln!("{}: page {}: {why}", self.folder.display(), self.pages[page].display());
        }
    }

    fn write(&self, page: usize, text: &str) {
        let name = self.pages[page].file_stem().unwrap_or_default();
        let path = self.folder.join(name).with_added_extension("txt");
        let written: io::Result<()> = fs::write(&path, text);
        written.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

//! Runs extractors written in Rust over the pages of a data set.
//!
//!     rivals --set DIR --out DIR [RIVAL ...]
//!     rivals --list
//!
//! DIR/html/<id>.html are the pages. For each rival the text of every page goes
//! to OUT/<rival>/<id>.txt (an empty file where the rival finds none, fails, or
//! takes longer than 30 s), and a line of figures to standard output and to
//! OUT/<rival>.json: pages per second of wall and of processor time, with
//! reading and writing, without a first page.
mod rivals;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, process};

const USAGE: &str = "usage: rivals --set DIR --out DIR [RIVAL ...]";

fn main() {
    if let Err(e) = run() {
        eprintln!("rivals: {e}");
        process::exit(2);
    }
}

fn run() -> Result<(), String> {
    let (mut set, mut out, mut names) = (None, None, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        match a.as_str() {
            "--set" => set = args.next(),
            "--out" => out = args.next(),
            "--list" => {
                println!("{}", rivals::names().join(" "));
                return Ok(());
            }
            _ if a.starts_with('-') => return Err(format!("{a}: {USAGE}")),
            _ => names.push(a),
        }
    }
    let (Some(set), Some(out)) = (set, out) else {
        return Err(USAGE.into());
    };
    if names.is_empty() {
        names = rivals::names().iter().map(|n| n.to_string()).collect();
    }
    for name in &names {
        let Some(rival) = rivals::ALL.iter().find(|r| r.name == name) else {
            return Err(format!("no rival {name:?}: take of {}", rivals::names().join(" ")));
        };
        measure(rival, Path::new(&set), Path::new(&out))?;
    }
    Ok(())
}

/// Runs one rival over the set and prints its figures.
fn measure(rival: &'static rivals::Rival, set: &Path, out: &Path) -> Result<(), String> {
    let pages = pages(set)?;
    let folder = out.join(rival.name);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let extract = (rival.make)(set)?;
    let first = format!("<html><body><p>{}</p></body></html>", "A first page, so that what is loaded late is loaded. ".repeat(8));
    let _ = extract("", first.as_bytes());

    let (wall, cpu) = (Instant::now(), processor_time());
    let done = watch::run(extract, pages, folder);
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), processor_time() - cpu);
    let n = done.pages as f64;
    let figures = format!(
        "{{\"rival\": \"{}\", \"version\": \"{}\", \"set\": \"{}\", \"pages\": {}, \"failed\": {}, \"bytes\": {}, \"wall_s\": {:.2}, \"cpu_s\": {:.2}, \"pages_per_s\": {:.1}, \"pages_per_cpu_s\": {:.1}}}\n",
        rival.name,
        version(rival.package),
        set.file_name().unwrap_or_default().display(),
        done.pages,
        done.failed,
        done.bytes,
        wall,
        cpu,
        n / wall,
        n / cpu,
    );
    print!("{figures}");
    fs::write(out.join(format!("{}.json", rival.name)), figures).map_err(|e| e.to_string())
}

/// The files of the pages, in the order of their names.
fn pages(set: &Path) -> Result<Vec<PathBuf>, String> {
    let dir = set.join("html");
    let entries = fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("{}: no <id>.html in it", dir.display()));
    }
    Ok(files)
}

/// The version of a package in the lock file.
fn version(package: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let name = format!("name = \"{package}\"\nversion = \"");
    lock.split(name.as_str()).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("unknown")
}

/// Seconds of processor time that this process has used.
fn processor_time() -> f64 {
    // SAFETY: getrusage fills the struct given to it, for which zeros are valid.
    let usage = unsafe {
        let mut u: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut u);
        u
    };
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

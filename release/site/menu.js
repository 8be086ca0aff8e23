// The menu of versions after the title in the header, and names for assistive technology.
const title = document.querySelector(".md-header__topic");
if (title && window.versions) {
  const parts = location.pathname.split("/");
  const at = parts.findLastIndex(p => window.versions.includes(p));
  const menu = document.createElement("select");
  menu.className = "versions";
  menu.ariaLabel = "Version";
  for (const v of window.versions) menu.add(new Option(v, v, false, v === parts[at]));
  menu.onchange = () => {
    parts.splice(at, parts.length - at, menu.value, "index.html");
    location.pathname = parts.join("/");
  };
  title.append(menu);
}

// The theme does not name the search dialog.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");

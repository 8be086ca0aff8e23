// The roles of the blocks, and the choice of the kept roles.
// state.keep is the set of chosen roles, null while the method decides.

// byRole decides by the chosen roles on the blocks whose role the method predicts;
// all holds the decisions of all methods.
function byRole(all) {
  if (!state.keep) return all;
  return all.map((ds, m) => ds && ds.map((d, i) => {
    const v = DATA.methods[m].verdicts[i];
    if (!v.role || v.h) return d;
    const keep = +state.keep.has(v.role);
    if (keep === +(d.keep > 0)) return d;
    return { ...d, keep, parts: null, from: { ...d.from, n: undefined, k: undefined }, why: `${v.role} is ${keep ? "" : "not "}chosen` };
  }));
}

// rolesOf parses a comma-separated list of roles and policies; it returns null if the
// list has no known name.
function rolesOf(list) {
  const out = new Set();
  for (const name of list.split(",")) {
    const policy = DATA.policies.find(p => p.name === name);
    if (policy) policy.roles.forEach(r => out.add(r));
    else if (DATA.roles.includes(name)) out.add(name);
  }
  return out.size || list === "none" ? out : null;
}

// nameOf names a set of roles: the equal policy, else the list.
function nameOf(set) {
  const policy = DATA.policies.find(p => p.roles.length === set.size && p.roles.every(r => set.has(r)));
  return policy ? policy.name : DATA.roles.filter(r => set.has(r)).join(",") || "none";
}

// makeRoles creates the legend of the roles that the chosen method predicts, with a
// check box each.
function makeRoles() {
  const m = DATA.methods[state.method], told = DATA.roles.filter(r => m.verdicts.some(v => v.role === r && !v.h));
  $("roleset").hidden = !told.length;
  const choice = el("select"), chose = set => { state.keep = set; redecide(); };
  choice.id = "keep";
  choice.ariaLabel = "Kept roles";
  for (const [value, name] of [["", "method default"], ...DATA.policies.map(p => [p.name, p.name]), ["own", "chosen roles"]]) choice.append(new Option(name, value));
  choice.onchange = () => chose(choice.value === "own" ? chosen() : choice.value ? rolesOf(choice.value) : null);
  $("roles").replaceChildren(choice, ...told.map(r => {
    const box = el("input"), label = el("label", "r-" + r, box, r, el("small"));
    box.type = "checkbox"; box.value = r;
    box.onchange = () => chose(chosen());
    return label;
  }));
}

// chosen returns the roles whose boxes are checked, and earlier choices that the page
// does not have.
function chosen() {
  const boxes = [...document.querySelectorAll("#roles input")], here = boxes.map(b => b.value);
  return new Set([...state.keep || []].filter(r => !here.includes(r)).concat(boxes.filter(b => b.checked || b.indeterminate).map(b => b.value)));
}

// showRoles updates the check boxes to the decisions.
function showRoles() {
  const m = DATA.methods[state.method], ds = decisions[state.method];
  for (const box of document.querySelectorAll("#roles input")) {
    let kept = 0, all = 0;
    m.verdicts.forEach((v, i) => { if (v.role === box.value && !v.h) { all++; kept += +(ds[i].keep > 0); } });
    box.checked = state.keep ? state.keep.has(box.value) : kept === all;
    box.indeterminate = !state.keep && kept > 0 && kept < all;
    box.nextElementSibling.textContent = ` ${count(kept)} of ${count(all)}`;
  }
  const name = state.keep ? nameOf(state.keep) : "";
  $("keep").value = !name || DATA.policies.some(p => p.name === name) ? name : "own";
}


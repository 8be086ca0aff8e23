"""LightGBM and CatBoost on tables of package rowfile: forests.py [--tasks TASK,...] TABLE...

Each learner runs with one thread, twice: with as many trees of as many leaves as ours, and our
rate, regularisation and samples ("same"), and with its own defaults and as many trees ("own").
Columns hold small whole numbers, so 128 bins lose nothing. Training is timed after the library
has read its data set, scoring with the conversion of a matrix of float32."""

import argparse

import catboost
import lightgbm
import numpy as np
from rowfile import NO_CLASS, Table, timed


def lightgbm_settings(trees, own):
    settings = {"num_threads": 1, "seed": trees["Seed"], "verbosity": -1, "max_bin": 128, "min_data_in_bin": 1}
    if not own:
        settings |= {
            "num_leaves": 2 ** trees["Depth"], "learning_rate": trees["Rate"], "lambda_l2": trees["Lambda"], "min_sum_hessian_in_leaf": trees["MinWeight"],
            "feature_fraction": trees["ColSample"], "bagging_fraction": trees["RowSample"], "bagging_freq": 1,
        }
    return settings


def run_lightgbm(trees, own, classes, x, y, w, all_x):
    settings = lightgbm_settings(trees, own)
    settings |= {"objective": "multiclass", "num_class": classes} if classes else {"objective": "binary"}
    data = lightgbm.Dataset(x, y, weight=w, params=settings, free_raw_data=True).construct()
    model, train = timed(lambda: lightgbm.train(settings, data, num_boost_round=trees["Trees"]))
    odds, score = timed(lambda: model.predict(all_x, raw_score=True, num_threads=1))
    return odds, train, score


def run_catboost(trees, own, classes, x, y, w, all_x):
    settings = {"iterations": trees["Trees"], "thread_count": 1, "random_seed": trees["Seed"], "verbose": False, "allow_writing_files": False, "border_count": 128}
    settings["loss_function"] = "MultiClass" if classes else "Logloss"
    if classes:
        settings["classes_count"] = classes
    if not own:
        settings |= {
            "depth": trees["Depth"], "learning_rate": trees["Rate"], "l2_leaf_reg": trees["Lambda"], "rsm": trees["ColSample"],
            "bootstrap_type": "Bernoulli", "subsample": trees["RowSample"], "boosting_type": "Plain",
        }
    pool = catboost.Pool(x, y, weight=w, thread_count=1)
    pool.quantize(border_count=128, task_type="CPU")
    model = catboost.CatBoost(settings)
    _, train = timed(lambda: model.fit(pool))
    odds, score = timed(lambda: model.predict(all_x, prediction_type="RawFormulaVal", thread_count=1))
    return odds, train, score


LIBRARIES = [("lightgbm", lightgbm.__version__, run_lightgbm), ("catboost", catboost.__version__, run_catboost)]


def learn(table, task, part, styles):
    known = (table.parts > 0) & (table.class_of != NO_CLASS) if task == "classes" else table.parts > 0
    learn_rows = np.flatnonzero(known & (table.parts != part) & (table.weight > 0))
    test_rows = np.flatnonzero(known & (table.parts == part))
    classes = table.classes if task == "classes" else 0
    labels = table.class_of if classes else table.target
    x, test_x = table.features(learn_rows), table.features(test_rows)
    for name, version, run in LIBRARIES:
        for style in styles:
            odds, train, score = run(table.meta["trees"], style == "own", classes, x, labels[learn_rows].astype(int), table.weight[learn_rows], test_x)
            out = np.zeros((table.rows, max(classes, 1)))
            out[test_rows] = odds.reshape(len(test_rows), -1)
            table.save(task, f"{name}-{style}", version, part, out, train, score, len(test_rows))
            print(table.folder.name, task, part, name, style, f"{train:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", default="yes,classes")
    parser.add_argument("--styles", default="same,own")
    parser.add_argument("tables", nargs="+")
    args = parser.parse_args()
    for folder in args.tables:
        table = Table(folder)
        for task in args.tasks.split(","):
            if task == "classes" and not table.classes:
                continue
            for part in table.tests:
                learn(table, task, part, args.styles.split(","))


if __name__ == "__main__":
    main()

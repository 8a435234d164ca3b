//! VEC-1, Must show 5: several processes write one store.

use crate::kit::{Home, path, transcript};

#[test]
fn five_processes_write_a_hundred_memories_each() {
    let home = Home::new();
    let children: Vec<_> = (0..5)
        .map(|p| {
            let lines = transcript((0..100).map(|n| format!("Process {p} wrote line {n}")))
                .replace("\"m", &format!("\"p{p}-m"));
            let file = home.file(&format!("{p}.jsonl"), lines);
            home.command(&["import", path(&file)])
                .stderr(std::process::Stdio::piped())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(home.texts().len(), 500);
}

#[test]
fn processes_that_start_a_store_together_agree_on_its_keys() {
    let home = Home::blank();
    let children: Vec<_> =
        (0..5).map(|p| home.command(&["--user", &format!("user{p}"), "consent", "on"]).spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    for p in 0..5 {
        let user = format!("user{p}");
        home.run(&["--user", &user, "remember", "Likes tea"]).ok();
        assert!(home.run(&["--user", &user, "recall", "tea"]).ok().contains("Likes tea"));
    }
}

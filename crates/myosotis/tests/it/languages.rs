//! REC-3, Must show 7: stored and found in every script, by memory with and without the embedder.

use myosotis::UserMemory;

use crate::kit::{builder, store, texts, user};

const DISTRACTORS: [&str; 6] = [
    "Likes the colour blue",
    "昨天去了超市买水果",
    "今日は天気がいい",
    "Вчера было холодно",
    "오늘은 비가 온다",
    "Der Zug war verspätet",
];

fn memories() -> Vec<UserMemory> {
    [builder().in_memory().unwrap(), builder().without_embedder().in_memory().unwrap()]
        .iter()
        .map(|engine| user(engine, "alice"))
        .collect()
}

#[track_caller]
fn found(text: &str, queries: &[&str]) {
    for alice in memories() {
        DISTRACTORS.iter().for_each(|other| {
            store(&alice, other);
        });
        store(&alice, text);
        for query in queries {
            assert_eq!(texts(&alice, query).first().map(String::as_str), Some(text), "query {query:?}");
        }
    }
}

#[test]
fn chinese() {
    found("我叫李国宇，在字节跳动工作", &["李国宇", "字节", "字节跳动", "在哪里工作"]);
    found("步2 重跑gen-itgc后50条悬空引用清零", &["悬空", "itgc", "gen-itgc", "引用"]);
}

#[test]
fn japanese() {
    found("成語しりとりをした", &["しりとり", "成語"]);
    found("母は京都に住んでいます", &["京都", "母", "ﾊﾊ 京都"]);
}

#[test]
fn korean_with_other_particles() {
    found("제가 가장 좋아하는 프로젝트는 알파입니다", &["좋아하는 프로젝트", "프로젝트를", "알파"]);
}

#[test]
fn thai() {
    found("ฉันชอบกินข้าวผัดกุ้ง", &["ข้าวผัด", "กุ้ง"]);
}

#[test]
fn arabic_and_hebrew_with_and_without_marks() {
    found("أُحِبُّ القَهوة العربية", &["القهوة", "قهوة عربية"]);
    found("אני גר בירושלים עם אחותי", &["ירושלים", "אחותי"]);
}

#[test]
fn hindi() {
    found("मुझे आम का अचार पसंद है", &["अचार", "आम"]);
}

#[test]
fn russian_in_other_cases() {
    found("Моя сестра живёт в Новосибирске", &["сестры", "Новосибирск", "живет"]);
}

#[test]
fn german_umlauts_and_compounds() {
    found("Die Krankenversicherung zahlt die Brille", &["Versicherung", "krankenversicherungen", "Brillen"]);
    found("Sie fährt gern nach München", &["Muenchen", "MÜNCHEN", "munchen"]);
    found("Wohnt in der Königstraße", &["koenigstrasse", "Königstrasse"]);
}

#[test]
fn turkish_dotted_i() {
    found("İstanbul'da ılık bir akşam yemeği", &["istanbul", "ISTANBUL", "ılık"]);
}

#[test]
fn vietnamese() {
    found("Tôi thích ăn phở bò ở Hà Nội", &["phở", "ha noi", "Hà Nội"]);
}

#[test]
fn emoji_and_full_width() {
    found("Lieblingsessen: 🍕 mit Oliven", &["🍕"]);
    found("The tag is ＡＢＣ１２３", &["ABC123", "abc123"]);
}

#[test]
fn names_made_of_stop_words() {
    found("The Who", &["the who", "The Who"]);
    found("Wer ist es", &["wer ist es"]);
}

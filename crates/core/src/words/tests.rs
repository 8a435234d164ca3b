//! What finds what, language by language.

use super::*;

/// Whether a question shares a term with a text, each analysed as recall does.
fn finds(question: &str, text: &str) -> bool {
    let text = analyse(text);
    query(question, LatinSet(text.latin.bit())).groups.iter().any(|group| {
        group
            .alternatives
            .iter()
            .any(|alternative| text.words.contains(&alternative.term) || text.extras.contains(&alternative.term))
    })
}

#[test]
fn every_language_finds_its_text() {
    // REC-3: question, text that it finds, text that it does not find.
    let table = [
        // Chinese: two characters, one character, Latin glued to Han.
        ("悬空", "那座寺庙悬空在山崖上", "我喜欢喝绿茶"),
        ("猫", "我养了一只猫", "我养了一条狗"),
        ("我的猫叫什么", "猫的名字是咪咪", "他在北京工作"),
        ("itgc", "重跑gen-itgc后50条", "重跑之后没有问题"),
        ("gen-itgc", "重跑gen-itgc后50条", "重跑之后没有问题"),
        ("gen", "重跑gen-itgc后50条", "重跑之后没有问题"),
        // Japanese.
        ("しりとり", "成語しりとりをした", "昨日は映画を見た"),
        ("映画", "昨日は映画を見た", "成語しりとりをした"),
        ("コーヒー", "毎朝コーヒーを飲みます", "毎朝お茶を飲みます"),
        ("ｶﾚｰ", "昼はカレーだった", "昼は寿司だった"),
        // Korean: other particles, part of a word.
        ("프로젝트", "프로젝트는 금요일에 끝난다", "고양이를 키운다"),
        ("프로젝트를", "프로젝트는 금요일에 끝난다", "고양이를 키운다"),
        ("집", "집에서 일한다", "학교에 간다"),
        // Thai, Lao, Khmer, Myanmar.
        ("แมว", "ฉันเลี้ยงแมวสองตัว", "ผมชอบดื่มกาแฟ"),
        ("ກາເຟ", "ຂ້ອຍມັກກາເຟ", "ຂ້ອຍມີໝາ"),
        ("ឆ្មា", "ខ្ញុំមានឆ្មាមួយ", "ខ្ញុំចូលចិត្តតែ"),
        ("ကြောင်", "ကျွန်တော့်မှာကြောင်ရှိတယ်", "လက်ဖက်ရည်"),
        // Arabic: vowel marks, article, alef forms.
        ("مكتبة", "أعمل في المَكتَبة الكبيرة", "أحب القهوة"),
        ("احمد", "صديقي أحمد يعيش هنا", "أحب القهوة"),
        // Hebrew: vowel points, prefix letters.
        ("שלום", "אמר שָׁלוֹם לכולם", "אני אוהב קפה"),
        ("כלב", "הכלב שלי ישן", "אני אוהב קפה"),
        ("מחשב", "קניתי את המחשב", "אני אוהב קפה"),
        // Hindi.
        ("किताब", "मुझे किताबें पसंद हैं", "वह दिल्ली में रहता है"),
        // Russian: cases, ё.
        ("кошка", "у меня две кошки", "люблю чёрный чай"),
        ("черный", "люблю чёрный чай", "у меня две кошки"),
        ("Москва", "Живу в Москве", "люблю чёрный чай"),
        // German: umlauts in all three spellings, compounds, ß.
        ("Muenchen", "Ich wohne in München", "Ich trinke gern Tee"),
        ("munchen", "Ich wohne in München", "Ich trinke gern Tee"),
        ("München", "Ich wohne in Muenchen", "Ich trinke gern Tee"),
        ("München", "She lives in Muenchen", "She drinks tea"),
        ("Strasse", "Die Straße ist lang", "Ich trinke gern Tee"),
        ("Schifffahrt", "Er schreibt über die Donaudampfschifffahrt", "Ich trinke gern Tee"),
        ("Donau", "Er schreibt über die Donaudampfschifffahrt", "Ich trinke gern Tee"),
        ("Geburtstag", "Was ist das Geburtstagsgeschenk für sie", "Ich trinke gern Tee"),
        ("Häuser", "Das Haus ist alt und die Häuser sind neu", "Ich trinke gern Tee"),
        // Turkish: dotted and dotless i, suffixes.
        ("istanbul", "İSTANBUL'DA oturuyorum", "çay içmeyi severim"),
        ("ISPARTA", "Isparta'da doğdu", "çay içmeyi severim"),
        ("kitap", "Bu kitapları çok sevdim", "çay içmeyi severim"),
        ("diyarbakir", "Diyarbakır'a gittik", "çay içmeyi severim"),
        // Vietnamese: with and without marks.
        ("pho", "Tôi thích ăn phở", "Tôi có một con chó"),
        ("phở", "Toi thich an pho", "Tôi có một con chó"),
        ("Đà Nẵng", "Gia đình sống ở Da Nang", "Tôi có một con mèo"),
        // Greek: tonos, final sigma.
        ("καφές", "μου αρέσει ο καφες", "έχω έναν σκύλο"),
        // Emoji: alone, with a skin tone, flags.
        ("🐱", "my 🐱 sleeps", "my 🐶 sleeps"),
        ("👍", "sure 👍🏽", "sure 👎"),
        ("🇫🇷", "going to 🇫🇷", "going to 🇩🇪"),
        ("❤", "I ❤️ tea", "I like tea"),
        // Full width, ligatures.
        ("ＨＥＬＬＯ", "hello there", "good morning"),
        ("ﬁnance", "works in finance", "works in law"),
        // French and Spanish.
        ("café", "J'aime le cafe", "J'ai un chien"),
        ("années", "elle a vécu dix annees ici", "J'ai un chien"),
        ("gatos", "tiene un gato negro", "vive en Madrid"),
    ];
    for (question, hit, miss) in table {
        assert!(finds(question, hit), "{question} should find {hit}");
        assert!(!finds(question, miss), "{question} should not find {miss}");
    }
}

#[test]
fn a_word_is_found_whatever_the_languages_are_guessed_to_be() {
    // REC-3
    let texts = ["Die Katzen von Anna sind grau", "Anna has grey cats", "los gatos de Anna", "Anna'nın kedileri var"];
    for text in texts {
        for question in ["Anna", "wo ist Anna", "where is Anna", "dónde está Anna", "où est Anna", "Anna nerede"] {
            assert!(finds(question, text), "{question} should find {text}");
        }
    }
    assert!(finds("running", "ich gehe zum running mit der Gruppe"));
}

#[test]
fn codes_are_found_whole_and_by_parts() {
    // REC-3
    let text = "Ticket XK-4711 was fixed in v2.3.1 on 2023-05-08, ask alice@example.org about gpt4 on the 8th";
    for question in
        ["XK-4711", "xk4711", "4711", "XK", "v2.3.1", "V2.3.1", "2023/05/08", "alice@example.org", "alice", "gpt", "8"]
    {
        assert!(finds(question, text), "{question}");
    }
    assert!(!analyse("v2.3.1").extras.iter().any(|term| analyse("v23.1").extras.contains(term)));
}

#[test]
fn stop_words_find_nothing() {
    // REC-4
    let texts =
        ["What is it that she was?", "Das ist es, was wir hier haben", "Qu'est-ce que c'est", "Это был он, кто же"];
    for text in texts.map(analyse) {
        assert!(text.words.is_empty(), "{text:?}");
    }
    for question in ["何ですか", "这是什么"] {
        let groups = query(question, LatinSet(0x1ff)).groups;
        assert!(groups.is_empty(), "{question}: {groups:?}");
    }
    for question in ["what does Anna have", "was hat Anna", "qu'est-ce que Anna a"] {
        assert_eq!(query(question, LatinSet(0x1ff)).groups.len(), 1, "{question}");
    }
}

#[test]
fn a_question_of_nothing_else_is_about_its_stop_words() {
    // REC-3
    for (question, words) in [("it", 1), ("The Who", 2), ("wer ist es", 3), ("ha noi", 2), ("кто это", 2)] {
        let asked = query(question, LatinSet(0x1ff));
        assert_eq!(asked.groups.len(), words, "{question}");
        assert_eq!(asked.surfaces.len(), words, "{question}");
    }
    // And finds the texts that have them as words.
    assert!(finds("ha noi", "Tôi thích ăn phở bò ở Hà Nội"));
    assert!(finds("Hà Nội", "Hà Nội"));
    for text in ["The Who", "Who is it?", "Wer ist es"] {
        let mut kept = Analysis::default();
        Analyser::default().add(text, 0..text.len(), true, &mut kept);
        let asked = query(text, LatinSet(kept.latin.bit()));
        assert_eq!(asked.groups.len(), kept.words.len(), "{text}");
        assert!(asked.groups.iter().all(|group| kept.words.contains(&group.alternatives[0].term)), "{text}");
    }
    // What is said decides, not who said it and when.
    let (text, mut kept) = ("Anna, 8 May 2023: the who", Analysis::default());
    Analyser::default().add(text, 18..text.len(), true, &mut kept);
    assert!(["the", "who"].iter().all(|word| kept.words.contains(&Term::of(word))));
}

#[test]
fn english_stems_and_time_words() {
    assert_eq!(analyse("researching agencies").words, analyse("research agency").words);
    assert!(analyse("we met yesterday").has_time_words);
    assert!(analyse("in 2019 already").has_time_words);
    assert!(!analyse("room 4711").has_time_words);
}

#[test]
fn questions_tell_what_they_ask() {
    // REC-10
    let cues = |text: &str| query(text, LatinSet(1)).cues;
    for when in [
        "When did Anna move?",
        "how long was it",
        "what date was it",
        "Wann war das?",
        "他什么时候来",
        "いつですか",
        "An welchem Tag war das?",
        "¿En qué año nació?",
        "Quelle date?",
        "в каком году",
        "какой день",
        "몇 월이에요",
    ] {
        assert!(cues(when).asks_when, "{when}");
    }
    for other in ["Where does Anna live?", "what data is there", "which tag", "how many cats"] {
        assert!(!cues(other).asks_when, "{other}");
    }
    assert!(cues("What did you recommend?").about_assistant && !cues("Who is Bob?").about_assistant);
    assert!(cues("Where was she born?").past && cues("in March 2022").past && !cues("May I march?").past);
    assert!(cues("Wo war ich im Urlaub?").past && !cues("Which war do they read about?").past);
    assert!(cues("¿Dónde estaba?").past && cues("前回の映画は").past);
    assert!(cues("Where does she live now?").now);
}

#[test]
fn dates_are_read_as_far_as_they_are_told() {
    // REC-10
    let dates =
        |text: &str| query(text, LatinSet(1)).dates.iter().map(|d| (d.year, d.month, d.day)).collect::<Vec<_>>();
    assert_eq!(dates("on 25 May, 2022"), [(Some(2022), Some(5), Some(25))]);
    assert_eq!(dates("on May 25th 2022"), [(Some(2022), Some(5), Some(25))]);
    assert_eq!(dates("the 25th of May"), [(None, Some(5), Some(25))]);
    assert_eq!(dates("in May"), [(None, Some(5), None)]);
    assert_eq!(dates("may I? they march"), []);
    assert_eq!(dates("am 3. Oktober 2021"), [(Some(2021), Some(10), Some(3))]);
    assert_eq!(dates("el 3 de mayo de 2021"), [(Some(2021), Some(5), Some(3))]);
    assert_eq!(dates("back in 2019"), [(Some(2019), None, None)]);
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn no_text_is_too_odd(text in any::<String>()) {
            let _ = (analyse(&text), query(&text, LatinSet(0x1ff)));
        }

        #[test]
        fn no_word_of_a_script_is_too_odd(
            text in "[\u{61}-\u{7a}\u{df}-\u{17f} ]{1,20}|[\u{370}-\u{3ff} ]{1,20}|[\u{400}-\u{4ff} ]{1,20}|[\u{621}-\u{6d3} ]{1,20}|[\u{900}-\u{97f} ]{1,20}|[\u{e01}-\u{e5b}]{1,12}|[\u{ac00}-\u{ac99} ]{1,9}"
        ) {
            let analysis = analyse(&text);
            for latin in Latin::ALL {
                let _ = query(&text, LatinSet(latin.bit()));
            }
            prop_assert!(analysis.words.len() <= text.len());
        }

        #[test]
        fn a_word_finds_itself(word in "[a-zäöüßéèñçşğı]{3,14}") {
            let hit = analyse(&format!("xylophon {word}"));
            prop_assume!(hit.words.len() == 2);
            let found = query(&word, LatinSet(0x1ff)).groups;
            prop_assume!(!found.is_empty());
            let text = format!("xylophon {word}");
            prop_assert!(finds(&word, &text));
        }
    }
}

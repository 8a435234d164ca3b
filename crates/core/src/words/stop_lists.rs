//! Words that carry no meaning of their own, by language. Function words and, because a question is
//! searched with, question words. Written as people write them; folded when the table is built.

/// English. Measured on conversations: leaving question words in costs 7 points of recall.
/// `may` is not in it, for it is a month.
pub(super) const ENGLISH: &str = "a about above across after again against all already also although am among an and any are aren as at be \
    because been before being below between both but by can could couldn d did didn do does doesn doing don done \
    down during each either else ever every few for from further had hadn has hasn have haven having he her here \
    hers herself him himself his how however i if in into is isn it its itself just ll m many me might mine more \
    most much must my myself no nor not of off on once only or other ought our ours ourselves out over own re \
    regarding s same shall she should shouldn since so some still such t than that the their theirs them \
    themselves then there these they this those though through throughout to too toward towards under until up \
    upon us ve very was wasn we were weren what when where whether which while who whom whose why will with within \
    won would wouldn yet you your yours yourself yourselves";

/// German.
pub(super) const GERMAN: &str = "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem \
    keiner ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner er ihn ihm \
    sein seine seinen seinem seiner sie ihr ihre ihren ihrem ihrer es wir uns unser unsere euch euer eure man sich \
    selbst wer wen wem wessen was welche welcher welches welchen welchem wann wo wohin woher warum wieso weshalb wie \
    bin bist ist sind seid war warst waren wart gewesen werde wirst wird werden wurde wurden worden habe hast hat haben \
    hatte hatten gehabt kann kannst können konnte könnte muss musst müssen musste soll sollte sollen will wollen wollte \
    würde würden mag möchte darf und oder aber denn sondern wenn weil dass daß ob als bis während von vom zu zum zur \
    mit nach bei beim aus auf an am in im ins für gegen ohne um durch über unter vor hinter zwischen seit wegen auch \
    noch nur schon sehr so dann da dort hier nicht nichts etwas alle alles allem viel viele mehr immer wieder mal ja \
    doch also gern gerne dieser diese dieses diesen diesem jede jeder jedes jeden jedem";

/// Spanish.
pub(super) const SPANISH: &str = "el la los las lo un una unos unas yo me mi mis mío mía tú te ti tu tus él ella \
    ellos ellas usted ustedes le les se su sus nos nosotros nuestro nuestra os vosotros vuestro quién quiénes quien qué \
    que cuál cuáles cuándo cuando dónde donde adónde por porqué cómo como cuánto cuánta cuántos cuántas soy eres es \
    somos son era eras eran fui fue fueron ser sido siendo estoy estás está están estaba estado estar he has ha hemos \
    han había haber hay tengo tiene tienen tenía puede puedo pueden y e o u pero sino si porque aunque mientras de del \
    a al en con sin para sobre entre desde hasta hacia según ante bajo tras durante no ni ya más muy también tan sólo \
    solo otro otra otros otras todo toda todos todas este esta estos estas ese esa esos esas aquel aquella eso esto \
    algo alguien algún alguna nada nadie cada mucho mucha muchos muchas poco";

/// French.
pub(super) const FRENCH: &str = "le la les l un une des du de d je j me m moi mon ma mes mien tu te t toi ton ta tes \
    il elle on lui se s son sa ses nous notre nos vous votre vos ils elles leur leurs eux qui que qu quoi quel quelle \
    quels quelles quand où comment pourquoi combien lequel laquelle suis es est sommes êtes sont étais était étaient \
    été être fut sera ai as a avons avez ont avais avait avaient eu avoir fait faire peut peux pouvez et ou mais ni \
    car donc or si parce comme lorsque puisque pendant à au aux en dans par pour sur sous avec sans chez vers entre \
    depuis jusque contre après avant ne n pas plus très aussi bien encore déjà tout toute tous toutes autre autres ce \
    c cet cette ces cela ça ceci y là ici même rien quelque quelques chaque";

/// Portuguese.
pub(super) const PORTUGUESE: &str = "o a os as um uma uns umas eu me mim meu minha meus minhas tu te ti teu tua teus \
    tuas você vocês ele ela eles elas lhe lhes se si seu sua seus suas nós nos nosso nossa nossos quem que quê qual \
    quais quando onde aonde como porque porquê quanto quanta quantos quantas sou és é somos são era eram fui foi foram \
    ser sido estou está estão estava estar tenho tem têm tinha ter há houve pode posso podem e ou mas nem se pois \
    embora enquanto de do da dos das em no na nos nas num numa por pelo pela pelos pelas para pra com sem sobre entre \
    desde até após ao à aos às não já mais muito muita muitos também só outro outra outros todo toda todos todas este \
    esta estes estas esse essa isso isto aquele aquela algo alguém algum alguma nada ninguém cada";

/// Italian.
pub(super) const ITALIAN: &str = "il lo la i gli le l un uno una io me mi mio mia miei mie tu te ti tuo tua tuoi tue \
    lui lei egli ella essi esse loro si suo sua suoi sue noi ci nostro nostra voi vi vostro vostra chi che cosa quale \
    quali quando dove come perché quanto quanta quanti quante sono sei è siamo siete era erano ero fui fu furono essere \
    stato stata stati ho hai ha abbiamo avete hanno aveva avevano avere può posso possono e ed o ma né se perciò mentre \
    di del dello della dei degli delle d a al allo alla ai agli alle da dal dallo dalla dai dagli dalle in nel nello \
    nella nei negli nelle con su sul sulla sui sulle per tra fra senza sopra sotto verso dopo prima durante non già più \
    molto molta molti anche solo altro altra altri tutto tutta tutti tutte questo questa questi queste quello quella \
    quelli qualcosa qualcuno niente nessuno ogni c";

/// Dutch.
pub(super) const DUTCH: &str = "de het een ik me mij mijn je jij jou jouw u uw hij hem zijn zij ze haar wij we ons \
    onze jullie hun hen zich zelf wie wat welk welke wanneer waar waarheen waarom hoe hoeveel ben bent is was waren \
    geweest word wordt worden werd werden heb hebt heeft hebben had hadden gehad kan kunt kunnen kon moet moeten mocht \
    mag zal zullen zou zouden wil willen wilde en of maar want dus als dat die dit deze omdat hoewel terwijl van voor \
    met naar bij uit op aan in om door over onder tegen tussen zonder sinds tot te ten ter ook nog al alle alles zo dan \
    daar er hier niet niets iets geen veel meer zeer heel andere ander elk elke iedere wel toch weer";

/// Turkish.
pub(super) const TURKISH: &str = "ben beni bana benim bende sen seni sana senin o onu ona onun biz bizi bize bizim \
    siz sizi size sizin onlar onları onlara onların kim kimi kime kimin ne neyi neye hangi hangisi nerede nereye \
    nereden neden niçin niye nasıl kaç bir bu şu bunu şunu buna bunun ve veya ya ama fakat ancak çünkü eğer ki de da \
    ile için gibi kadar göre sonra önce daha en çok az mi mı mu mü değil var yok olarak olan oldu idi ise her hiç bazı \
    tüm bütün şey hem diye";

/// Words of scripts that tell their language: Russian, Ukrainian, Greek, Arabic, Hebrew, Hindi, Korean.
pub(super) const OTHER: &str = "я меня мне мной мой моя моё мои моего моей моих мою ты тебя тебе твой твоя твоё твои \
    он его ему им нём она её ей неё ней оно мы нас нам наш наша наши вы вас вам ваш ваша ваши они их ими них себя себе \
    свой своя своё свои кто кого кому кем что чего чему чем какой какая какое какие какую каких который которая которое \
    которые когда где куда откуда почему зачем как сколько чей чья чьё чьи был была было были быть есть будет будут буду \
    и а но или да не ни же ли бы то это этот эта эти этого этой этом тот та те того той так также тоже уже ещё еще очень \
    в во на с со к ко о об обо от до из за по под над при про для без у через между после перед чтобы если потому хотя \
    пока все всё всех весь вся другой там тут здесь только \
    ο η το οι τα του της των τον την ένας μια ένα εγώ με μου εσύ σε σου αυτός αυτή αυτό εμείς μας εσείς σας ποιος ποια \
    ποιο τι πότε πού που πώς γιατί πόσο πόσα είμαι είσαι είναι ήταν έχω έχει έχουν και ή αλλά αν ότι να θα δεν μη από \
    στο στη στην στον στα στις για προς χωρίς \
    في من إلى على عن مع هذا هذه ذلك تلك التي الذي ما ماذا من متى أين كيف لماذا كم أي هل أنا أنت هو هي نحن هم كان كانت \
    يكون لا لم لن قد و أو ثم إن أن \
    אני אתה את הוא היא אנחנו אתם הם הן שלי שלך שלו שלה שלנו מה מי מתי איפה היכן למה מדוע איך כמה איזה איזו האם של על עם \
    אל לא כן גם או כי אם זה זאת זו היה הייתה היו יש אין כל \
    मैं मुझे मेरा मेरी मेरे तुम तुम्हें तुम्हारा आप आपका आपकी आपके वह वे उसका उसकी उसके हम हमारा यह ये क्या कौन किस कब कहाँ कहां क्यों कैसे \
    कितना कितने कितनी है हैं हूँ हूं था थी थे हो का की के को से में पर ने और या लेकिन कि तो भी ही नहीं एक \
    나 내 제 저 너 네 우리 그 이 저희 누구 무엇 뭐 뭘 언제 어디 어디서 왜 어떻게 어떤 무슨 몇 얼마나 그리고 하지만 있다 없다 이다 입니다 \
    있어 있나요 인가요 뭐야 뭐예요 무엇인가요 어디야 어디예요 언제야";

/// Chinese and Japanese characters that say nothing alone.
pub(super) const CHARACTERS: &str = "的了是我你您他她它们們在有和就不也都而及与與着著或个個没沒这這那吗嗎呢吧啊么麼什谁誰哪怎为為几幾\
    去来來把被让讓给給跟对對从從向到于於上下中里裡会會能要想说說很最还還又再所以因但如果之其此些多少何私僕俺彼";

/// Pairs that say nothing: question words, endings, particles.
pub(super) const PAIRS: &str = "什么 什麼 怎么 怎麼 为什 為什 么时 哪里 哪裡 哪儿 哪个 哪個 多少 几个 我的 你的 您的 他的 她的 我们 我們 \
    你们 是什 是谁 的是 了吗 了嗎 是不 不是 有没 没有 这个 這個 那个 那個 \
    です ます した ました して する ある いる ない から まで こと もの これ それ あれ どれ どこ だれ なに なぜ いつ どう ですか すか ますか \
    でし てい ている いま した たか のは とは には では って った んで だっ たい れる られ さん ので のに けど でも など よう なん 何で 何が 何を \
    私の 私は 僕の 僕は は何 の名";

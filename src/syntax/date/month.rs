//! Names of months and weekdays. English and Russian ones are written here; all others come from chrono's locales, in a table
//! that is made when a word beside a number is neither.
//!
//! A name that means different months in different languages is never guessed: the table keeps it, without a month.

use super::cursor::Cursor;
use chrono::format::{Item, StrftimeItems};
use chrono::{Locale, NaiveDate};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::OnceLock;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// A name found in the table.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// From 1 to 12.
    pub(super) month: u32,
    /// True where the name is a word of other meaning too: `set`, `pro`. Beside a day and a year it is a month nevertheless.
    pub(super) is_common_word: bool,
}

/// One locale for each language whose names of months are read in full and abbreviated; more where its countries differ.
const LOCALES: &str = "af_ZA ar_AE ar_DZ ar_IQ ar_MA az_AZ be_BY bg_BG bn_BD bs_BA ca_ES cs_CZ da_DK de_AT de_DE el_GR es_ES es_PE \
    et_EE fa_IR fi_FI fr_FR gl_ES gu_IN he_IL hi_IN hr_HR hu_HU hy_AM id_ID is_IS it_IT ka_GE kn_IN lb_LU lo_LA lt_LT lv_LV mk_MK \
    ml_IN mr_IN my_MM nb_NO ne_NP nl_NL nn_NO pa_IN pl_PL pt_BR ro_RO si_LK sk_SK sl_SI sr_RS sr_RS@latin sv_SE ta_IN te_IN th_TH \
    tr_TR uk_UA ur_PK uz_UZ uz_UZ@cyrillic zh_CN";

/// The other languages, of which only full names are read: their abbreviations are words or other months elsewhere
/// (`API` is April in Basque, `few` February in Turkmen, `там` August in Kazakh).
///
/// Left out: Bislama, Haitian and Mauritian, whose full names are short and other months in larger languages (`maj`, `out`);
/// Maithili, Tigre, Blin and Geez, whose months are not ours; those that write months in digits.
const FULL_ONLY: &str = "aa_DJ aa_ER agr_PE ak_GH am_ET an_ES anp_IN as_IN ast_ES ayc_PE az_IR be_BY@latin bem_ZM ber_DZ bho_IN bo_CN \
    br_FR brx_IN ce_RU chr_US crh_UA csb_PL cv_RU cy_GB doi_IN dsb_DE dv_MV eo eu_ES ff_SN fil_PH fo_FO fur_IT fy_DE fy_NL ga_IE gd_GB \
    gv_GB ha_NG hne_IN hsb_DE ia_FR ig_NG ik_CA iu_CA kab_DZ kk_KZ kl_GL km_KH kok_IN ks_IN ks_IN@devanagari ku_TR kw_GB ky_KG lg_UG \
    li_BE lij_IT ln_CD mg_MG mhr_RU mi_NZ miq_NI mjw_IN mn_MN mni_IN mnw_MM ms_MY mt_MT nds_DE nhn_MX niu_NU nr_ZA nso_ZA oc_FR om_ET \
    or_IN os_RU pa_PK pap_AW ps_AF quz_PE rw_RW sah_RU sat_IN sc_IT sd_IN sd_IN@devanagari se_NO sgs_LT shn_MM shs_CA sm_WS so_SO \
    sq_AL ss_ZA st_ZA sw_KE szl_PL tcy_IN tg_TJ ti_ER tk_TM tl_PH tn_ZA to_TO tpi_PG ts_ZA tt_RU tt_RU@iqtelif ug_CN unm_US ve_ZA \
    wa_BE wae_CH wo_SN xh_ZA yi_US yo_NG yuw_PG zu_ZA";

/// Forms that the locales lack, January first: the case that stands without a day, or the one that stands with it.
const OTHER_FORMS: [&str; 12] = [
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
    "студзень люты сакавік красавік май чэрвень ліпень жнівень верасень кастрычнік лістапад снежань",
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
    "siječanj veljača ožujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    "sausis vasaris kovas balandis gegužė birželis liepa rugpjūtis rugsėjis spalis lapkritis gruodis",
    "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος",
    "janv fév mrz avr mai juin juil août sept oct nov déc",
];

/// Names that are words of other meaning in texts of larger languages.
const COMMON_WORDS: [&str; 29] = [
    "ago", "aka", "avg", "bal", "des", "dis", "dub", "elba", "elo", "est", "gen", "here", "impala", "jenner", "led", "lug", "lui", "mac",
    "mag", "mas", "mata", "out", "pro", "sen", "set", "sie", "there", "tra", "ага",
];

/// The month whose name stands at `start`, where that is known without the table, and the place behind it.
/// Vietnamese counts its months: `tháng 3`.
pub(super) fn known(start: Cursor<'_>) -> Option<(u32, Cursor<'_>)> {
    let (word, end) = start.word()?;
    if let Some(month) = english(word) {
        return Some((month, end));
    }
    if word.is_ascii() && !word.eq_ignore_ascii_case("thg") {
        return None;
    }
    let lower = word.to_lowercase();
    if matches!(lower.as_str(), "tháng" | "thg") {
        let (number, end) = end.gap()?.1.number()?;
        return (number.digits <= 2 && (1..=12).contains(&number.value)).then_some((number.value, end));
    }
    russian(&lower).map(|month| (month, end))
}

/// The month of an English name, in any case.
pub(super) fn english(word: &str) -> Option<u32> {
    const NAMES: [&str; 12] =
        ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
    if !(3..=9).contains(&word.len()) {
        return None;
    }
    let same = |name: &str| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]);
    let idx = NAMES.iter().position(|name| same(name)).or_else(|| word.eq_ignore_ascii_case("sept").then_some(8))?;
    u32::try_from(idx + 1).ok()
}

/// The month of a Russian name in lower case: `март`, `марта`, `марте`, `мар`.
fn russian(lower: &str) -> Option<u32> {
    let month = match lower {
        "январь" | "января" | "январе" | "янв" => 1,
        "февраль" | "февраля" | "феврале" | "фев" | "февр" => 2,
        "март" | "марта" | "марте" | "мар" => 3,
        "апрель" | "апреля" | "апреле" | "апр" => 4,
        "май" | "мая" | "мае" => 5,
        "июнь" | "июня" | "июне" | "июн" => 6,
        "июль" | "июля" | "июле" | "июл" => 7,
        "август" | "августа" | "августе" | "авг" => 8,
        "сентябрь" | "сентября" | "сентябре" | "сен" | "сент" => 9,
        "октябрь" | "октября" | "октябре" | "окт" => 10,
        "ноябрь" | "ноября" | "ноябре" | "ноя" | "нояб" => 11,
        "декабрь" | "декабря" | "декабре" | "дек" => 12,
        _ => return None,
    };
    Some(month)
}

/// True for an English or Russian weekday, in full or abbreviated.
pub(super) fn is_weekday(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_english_weekday(&lower) || is_russian_weekday(&lower) || matches!(lower.as_str(), "пн" | "вт" | "ср" | "чт" | "пт" | "сб" | "вс")
}

/// True for an English weekday in lower case, in full or abbreviated.
pub(super) fn is_english_weekday(lower: &str) -> bool {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    names.iter().any(|name| *name == lower || name[..3] == *lower) || matches!(lower, "tues" | "thur" | "thurs")
}

/// True for a Russian weekday in lower case.
pub(super) fn is_russian_weekday(lower: &str) -> bool {
    let names = ["понедельник", "вторник", "среда", "среду", "четверг", "пятница", "пятницу", "суббота", "субботу", "воскресенье"];
    names.contains(&lower)
}

/// The month of a name of one or more words in any language but English and Russian. The first call makes the table.
pub(super) fn look_up(name: &str) -> Option<Found> {
    static TABLE: OnceLock<FxHashMap<Box<str>, u8>> = OnceLock::new();
    let name = fold(name);
    let month = *TABLE.get_or_init(table).get(&*name)?;
    let is_common_word = COMMON_WORDS.contains(&&*name);
    (month != UNCLEAR).then_some(Found { month: month.into(), is_common_word })
}

/// In the table: different languages give the name to different months.
const UNCLEAR: u8 = 0;

fn table() -> FxHashMap<Box<str>, u8> {
    let full: Vec<Item<'_>> = StrftimeItems::new("%B").collect();
    let short: Vec<Item<'_>> = StrftimeItems::new("%b").collect();
    let mut table = FxHashMap::with_capacity_and_hasher(4096, rustc_hash::FxBuildHasher);
    let locales = LOCALES.split_whitespace().map(|name| (name, true)).chain(FULL_ONLY.split_whitespace().map(|name| (name, false)));
    let mut name = String::new();
    for (locale, with_short) in locales {
        // A locale that a later chrono drops is not read any more.
        let Ok(locale) = Locale::try_from(locale) else { continue };
        for month in 1..=12 {
            let Some(day) = NaiveDate::from_ymd_opt(2000, month.into(), 1) else { continue };
            for items in [Some(&full), with_short.then_some(&short)].into_iter().flatten() {
                name.clear();
                if write!(name, "{}", day.format_localized_with_items(items.iter(), locale)).is_ok() {
                    add(&mut table, &name, month);
                }
            }
        }
    }
    for names in OTHER_FORMS {
        for (name, month) in names.split_whitespace().zip(1..) {
            add(&mut table, name, month);
        }
    }
    table
}

fn add(table: &mut FxHashMap<Box<str>, u8>, name: &str, month: u8) {
    // Catalan writes `d'abril`, Gaelic `dhen Ghiblean`; Sardinian has two names for some months.
    let stripped = ["de ", "d’ ", "d’", "di ", "dhen ", "mis "].iter().find_map(|link| name.strip_prefix(link));
    for name in stripped.into_iter().chain([name]).flat_map(|name| name.split('/')) {
        let name = fold(name);
        // Short words are too many things; a name with a digit is read as a number.
        let shortest = if name.starts_with(|first| first < '\u{250}') { 3 } else { 2 };
        if name.chars().count() < shortest || name.chars().any(char::is_numeric) || english(&name).is_some() || russian(&name).is_some() {
            continue;
        }
        table.entry(name.into()).and_modify(|known| *known = if *known == month { month } else { UNCLEAR }).or_insert(month);
    }
}

/// A name for comparison: composed, in lower case, without dots, one space between words. Upper case loses the Turkish dot
/// on the `i`, so the table does without it.
fn fold(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(name);
    }
    let lower = name.trim().to_lowercase();
    let composed: Cow<'_, str> =
        if lower.is_ascii() || is_nfc(&lower) { Cow::Borrowed(&lower) } else { lower.nfc().collect::<String>().into() };
    let mut out = String::with_capacity(composed.len());
    for c in composed.chars() {
        match c {
            '.' | '॰' | '་' | '\u{307}' | '\u{200c}' | '\u{200d}' => {}
            'ı' => out.push('i'),
            '’' | 'ʼ' | 'ʻ' => out.push('\''),
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::date::{Date, Written, read_whole};

    #[test]
    fn chrono_has_all_locales() {
        for name in LOCALES.split_whitespace().chain(FULL_ONLY.split_whitespace()) {
            assert!(Locale::try_from(name).is_ok(), "{name}");
        }
    }

    /// What chrono writes for a locale is read, but for names that mean another month elsewhere.
    #[test]
    fn dates_of_all_locales_are_read() {
        let mut unread = Vec::new();
        for locale in LOCALES.split_whitespace().chain(FULL_ONLY.split_whitespace()) {
            for month in 1..=12 {
                let day = NaiveDate::from_ymd_opt(2026, month, 2).expect("a day");
                let name = day.format_localized("%B", Locale::try_from(locale).expect("known")).to_string();
                for name in name.split('/') {
                    let text = format!("2 {name} 2026");
                    match read_whole(&text, None) {
                        Some(written) => assert_eq!(written, Written::Date(Date::day(day)), "{locale} {text}"),
                        None => unread.push(format!("{locale} {name}")),
                    }
                }
            }
        }
        // Other months elsewhere; then too short; then with digits and quotes inside.
        unread.retain(|name| !name.ends_with("listopada"));
        unread.retain(|name| name.rsplit([' ', '_']).next().is_some_and(|name| name.chars().count() > 2));
        unread.retain(|name| !name.contains("ell7") && !name.contains("d’\u{a0}") && !name.contains('\''));
        assert_eq!(unread, [""; 0]);
    }
}

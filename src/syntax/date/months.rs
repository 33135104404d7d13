//! The names of months in the languages of the world: a sorted list, made from chrono's locales.
//!
//! A test makes the list anew and compares (`MEMFILE_UPDATE=1` writes it), so that nothing is built when memfile runs. A name that
//! means different months in different languages is never guessed: it is not in the list.

/// One name a line, folded, a tab, and its month; sorted by name.
const NAMES: &str = include_str!("months.txt");

/// The month of a folded name.
pub(super) fn month_of(name: &str) -> Option<u32> {
    let (mut low, mut high) = (0, NAMES.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = NAMES.as_bytes()[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let end = NAMES.as_bytes()[middle..].iter().position(|&byte| byte == b'\n').map_or(NAMES.len(), |at| middle + at);
        let (known, month) = NAMES.get(start..end)?.split_once('\t')?;
        match known.cmp(name) {
            std::cmp::Ordering::Equal => return month.parse().ok(),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// False where no name of a month has the ASCII word `word` in it, in any case; true for those that have, and a few others.
pub(super) fn may_name(word: &[u8]) -> bool {
    let at = hash(word, 0, word.len());
    BITS[at / 64] & (1 << (at % 64)) != 0
}

const WORDS: usize = 1024;

/// A bit for the hash of each ASCII word of a name. It is made when memfile is built, which takes the compiler some steps.
#[allow(long_running_const_eval)]
static BITS: [u64; WORDS] = with_words(
    with_words([0; WORDS], NAMES.as_bytes()),
    b"january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec session",
);

const fn with_words(mut bits: [u64; WORDS], text: &[u8]) -> [u64; WORDS] {
    let (mut start, mut at) = (0, 0);
    while at <= text.len() {
        if at == text.len() || !text[at].is_ascii_alphabetic() {
            let bit = hash(text, start, at);
            bits[bit / 64] |= 1 << (bit % 64);
            start = at + 1;
        }
        at += 1;
    }
    bits
}

/// FNV-1a of `text[from..to]`, in lower case.
const fn hash(text: &[u8], from: usize, to: usize) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = from;
    while at < to {
        hash = (hash ^ text[at].to_ascii_lowercase() as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    ((hash >> 16) ^ hash) as usize % (WORDS * 64)
}

#[cfg(test)]
mod tests {
    use super::super::month::{english, fold, russian};
    use super::*;
    use crate::syntax::date::{Date, Written, read_whole};
    use chrono::format::{Item, StrftimeItems};
    use chrono::{Locale, NaiveDate};
    use std::collections::BTreeMap;
    use std::fmt::Write;

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

    /// Different languages give the name to different months.
    const UNCLEAR: u8 = 0;

    fn table() -> BTreeMap<Box<str>, u8> {
        let full: Vec<Item<'_>> = StrftimeItems::new("%B").collect();
        let short: Vec<Item<'_>> = StrftimeItems::new("%b").collect();
        let mut table = BTreeMap::new();
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

    fn add(table: &mut BTreeMap<Box<str>, u8>, name: &str, month: u8) {
        // Catalan writes `d'abril`, Gaelic `dhen Ghiblean`; Sardinian has two names for some months.
        let stripped = ["de ", "d’ ", "d’", "di ", "dhen ", "mis "].iter().find_map(|link| name.strip_prefix(link));
        for name in stripped.into_iter().chain([name]).flat_map(|name| name.split('/')) {
            let name = fold(name);
            // Short words are too many things; a name with a digit is read as a number.
            let shortest = if name.starts_with(|first| first < '\u{250}') { 3 } else { 2 };
            if name.chars().count() < shortest || name.chars().any(char::is_numeric) || english(&name).is_some() || russian(&name).is_some()
            {
                continue;
            }
            table.entry(name.into()).and_modify(|known| *known = if *known == month { month } else { UNCLEAR }).or_insert(month);
        }
    }

    // The update switch writes the list.
    #[allow(clippy::disallowed_methods)]
    #[test]
    fn the_list_is_what_chrono_says() {
        let table = table();
        let clear = table.iter().filter(|(_, month)| **month != UNCLEAR);
        let list: String = clear.map(|(name, month)| format!("{name}\t{month}\n")).collect();
        if std::env::var_os("MEMFILE_UPDATE").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/syntax/date/months.txt"), &list).expect("written");
        }
        assert!(list == NAMES, "the list is not what chrono says now: MEMFILE_UPDATE=1 writes it anew");
    }

    #[test]
    fn every_name_is_found() {
        for line in NAMES.lines() {
            let (name, month) = line.split_once('\t').expect("two fields");
            assert_eq!(month_of(name), month.parse().ok(), "{name}");
            assert!(!name.is_ascii() || name.split(|c: char| !c.is_alphanumeric()).all(|word| may_name(word.as_bytes())), "{name}");
        }
        assert_eq!((month_of("editor"), may_name(b"editor")), (None, false));
    }

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

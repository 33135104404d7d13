//! `doctor`: a health report, one line a point.

use super::args::{AnswerFormat, DoctorArgs};
use super::{CLEAN, Ended, FOUND, print};
use crate::app::Session;
use crate::app::doctor::{Point, Standing};
use crate::io::clock;
use crate::report::{json_line, talk};
use serde_json::json;

/// `memfile doctor`
pub(super) fn run(session: &Session, args: &DoctorArgs) -> Ended {
    let today = clock::today(None).map_err(|error| error.to_string())?;
    let points = session.examine(today);
    let healthy = points.iter().all(|point| point.standing != Standing::Problem);
    match args.format {
        AnswerFormat::Json => {
            let row =
                |point: &Point| json!({"name": point.name, "status": word(point.standing), "message": point.message, "help": point.help});
            let answer = json!({"healthy": healthy, "checks": points.iter().map(row).collect::<Vec<_>>()});
            print(json_line(&answer).as_bytes())?;
        }
        AnswerFormat::Text => {
            let mut out = String::new();
            for point in &points {
                out += &format!("{:<8}{}: {}\n", word(point.standing), point.name, talk(&point.message));
                if let Some(help) = &point.help {
                    out += &format!("        {}\n", talk(help));
                }
            }
            out += if healthy { "nothing to mend\n" } else { "what says `problem` is to be mended\n" };
            print(out.as_bytes())?;
        }
    }
    Ok(if healthy { CLEAN } else { FOUND })
}

fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Fine => "ok",
        Standing::Note => "note",
        Standing::Problem => "problem",
    }
}

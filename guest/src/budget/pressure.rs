//! How full a model's window is, and what to do (docs/compaction.md, "Pressure").

use super::calibration::TokenEstimate;
use super::limits::{Fit, Limits, share, share_up};
use crate::compaction::{NotStarted, Reason};
use crate::escalation::{self, Health};
use crate::record::Stage;
use crate::rules::Rules;
use crate::state::{Failed, Reported};
use crate::template::Template;

/// What to do before a request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressureAction {
    /// Send it.
    None,
    /// Compact first.
    Compact,
    /// Compact harder first.
    Emergency,
    /// Send it: results are shown shorter, so that it fits.
    Shorten,
    /// It cannot be sent.
    Stop,
}

/// How full the window is. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Pressure {
    pub estimate: TokenEstimate,
    pub window: u32,
    pub soft_limit: u32,
    pub hard_limit: u32,
    pub reserve: u32,
    pub margin: u32,
    pub used: u32,
    pub fits: bool,
    pub action: PressureAction,
    pub reason: Option<String>,
    pub health: Option<Health>,
}

/// What is known of the next request.
#[derive(Clone, Copy, Debug)]
pub struct Load<'a> {
    /// Its tokens.
    pub estimate: TokenEstimate,
    /// Its model's limits.
    pub limits: Limits,
    /// The most tokens that its caller lets the reply have.
    pub explicit: Option<u32>,
    /// What the provider reported of this model; none without reports.
    pub reported: Reported,
    /// The stage that was applied with no reply since, and those that failed with nothing since.
    pub applied: Option<Stage>,
    pub failed: Failed,
    /// Texts and numbers.
    pub rules: &'a Rules,
}

/// Where a request stands to what makes a compaction due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    No,
    Yes,
    /// A stateful provider's own transcript is at the cap: a stage begins now, or nothing is sent.
    LastChance,
    /// It is too long to be summarised.
    Capped,
}

impl Load<'_> {
    /// What to do. `begins` tells whether a stage can begin.
    ///
    /// # Errors
    ///
    /// As `begins`.
    pub fn pressure<E>(
        self,
        begins: impl Fn(Stage) -> Result<Result<(), NotStarted>, E>,
    ) -> Result<Pressure, E> {
        let fit = self.fit();
        let mut pressure = self.at_rest(fit);
        match self.due(fit) {
            Due::No => {}
            Due::Capped => {
                let used = pressure.used;
                self.stop(&mut pressure, &self.rules.budget.exceeded, used);
            }
            due => self.act(&mut pressure, due, begins)?,
        }
        Ok(pressure)
    }

    /// Whether the request is one that shorter results may save.
    pub fn may_shorten(self, pressure: &Pressure) -> bool {
        let rules = &self.rules.budget;
        // Nothing that is left out of a request makes a provider's own transcript shorter.
        let capped = rules.stateful && pressure.used >= self.cap();
        let stops = pressure.action == PressureAction::Stop && !pressure.fits;
        rules.shorten && stops && !capped
    }

    /// What to do with results shown shorter, each in at most so many characters.
    pub fn shortened(self, count: usize, most: u32) -> Pressure {
        let text = &self.rules.budget.shortened;
        let (count, chars) = (count.to_string(), most.to_string());
        Pressure {
            action: PressureAction::Shorten,
            reason: Some(text.fill(&[("count", &count), ("chars", &chars)])),
            ..self.at_rest(self.fit())
        }
    }

    /// Whether the request fits.
    pub fn fits(self) -> bool {
        self.fit().fits
    }

    fn cap(self) -> u32 {
        share_up(self.limits.window, self.rules.budget.cap_percent)
    }

    fn fit(self) -> Fit {
        let prompt = self.estimate.tokens;
        self.limits.fit(prompt, self.explicit, &self.rules.budget)
    }

    fn at_rest(self, fit: Fit) -> Pressure {
        Pressure {
            estimate: self.estimate,
            window: self.limits.window,
            soft_limit: self.limits.soft_limit(&self.rules.compaction),
            hard_limit: fit.hard_limit,
            reserve: fit.reserve,
            margin: fit.margin,
            used: self.used(),
            fits: fit.fits,
            action: PressureAction::None,
            reason: None,
            health: None,
        }
    }

    fn used(self) -> u32 {
        if self.rules.budget.stateful {
            self.reported.used
        } else {
            self.estimate.tokens
        }
    }

    fn due(self, fit: Fit) -> Due {
        let (used, rules) = (self.used(), &self.rules.budget);
        let window = self.limits.window;
        if window == 0 {
            return Due::No;
        }
        let soft = self.limits.soft_limit(&self.rules.compaction);
        let cap = self.cap();
        let floor = self.reported.floor;
        let floor = floor.filter(|floor| rules.stateful && (soft..cap).contains(floor));
        let trigger = floor.map(|floor| {
            let step = share(window, rules.step_percent);
            floor.saturating_add(step).min(cap)
        });
        if rules.stateful && used >= cap {
            let last_chance = trigger == Some(cap) && !self.failed.any;
            return if last_chance {
                Due::LastChance
            } else {
                Due::Capped
            };
        }
        if used >= trigger.unwrap_or(soft) || !fit.fits {
            Due::Yes
        } else {
            Due::No
        }
    }

    fn act<E>(
        self,
        pressure: &mut Pressure,
        due: Due,
        begins: impl Fn(Stage) -> Result<Result<(), NotStarted>, E>,
    ) -> Result<(), E> {
        let normal = match self.failed.any {
            false => Some(begins(Stage::Normal)?),
            true => None,
        };
        if matches!(normal, Some(Ok(()))) {
            pressure.action = PressureAction::Compact;
            return Ok(());
        }
        let emergency = match self.failed.emergency {
            false => Some(begins(Stage::Emergency)?),
            true => None,
        };
        if matches!(emergency, Some(Ok(()))) {
            pressure.action = PressureAction::Emergency;
            return Ok(());
        }
        let (normal, emergency) = (refusal(normal), refusal(emergency));
        let texts = &self.rules.budget;
        if due == Due::LastChance {
            let used = pressure.used;
            self.stop(pressure, &texts.exceeded, used);
            return Ok(());
        }
        if pressure.fits {
            let after_normal = self.applied.is_some() || self.failed.any;
            let why = if after_normal { emergency } else { normal };
            let why = why.map_or_else(|| self.what_failed().to_owned(), |why| why.message);
            pressure.reason = Some(why);
            return Ok(());
        }
        let emergency = match emergency {
            None => begins(Stage::Emergency)?.err(),
            known => known,
        };
        let unsolved = emergency.is_some_and(|why| why.reason == Reason::RetainedDoesNotFit);
        let text = match (self.applied, unsolved, self.failed.any) {
            (Some(_), ..) => &texts.not_reduced,
            (None, true, _) => &texts.not_solved,
            (None, false, true) => &texts.not_compacted,
            (None, false, false) => &texts.exceeded,
        };
        let prompt = self.estimate.tokens;
        self.stop(pressure, text, prompt);
        Ok(())
    }

    /// Why nothing is begun, where `emergency` failed.
    fn what_failed(&self) -> &str {
        let texts = &self.rules.budget;
        match (self.applied, self.failed.normal) {
            (Some(_), _) => &texts.second_failed,
            (None, true) => &texts.both_failed,
            (None, false) => &texts.emergency_failed,
        }
    }

    fn stop(self, pressure: &mut Pressure, text: &Template, prompt: u32) {
        let window = pressure.window;
        let percent = |tokens: u32| u64::from(tokens) * 100 / u64::from(window.max(1));
        let reason = text.fill(&[
            ("prompt", &prompt.to_string()),
            ("reserve", &pressure.reserve.to_string()),
            ("margin", &pressure.margin.to_string()),
            ("window", &window.to_string()),
            ("usage", &percent(prompt).to_string()),
            ("threshold", &percent(pressure.soft_limit).to_string()),
            ("hard_limit", &pressure.hard_limit.to_string()),
            ("fits", if pressure.fits { "true" } else { "false" }),
        ]);
        pressure.action = PressureAction::Stop;
        pressure.reason = Some(reason);
        pressure.health = Some(escalation::stopped(&self.rules.escalation));
    }
}

fn refusal(stage: Option<Result<(), NotStarted>>) -> Option<NotStarted> {
    stage.and_then(Result::err)
}

//! The body of a launch, which every thread of the grid runs.

use crate::Kernel;
use std::rc::Rc;

/// Makes a copy of a kernel's body for a host thread.
type Copies = dyn Fn() -> Box<dyn Fn() + Send>;

/// The body of a launch. It is not generic, so that the simulator is compiled once.
pub struct Body {
    form: Form,
}

enum Form {
    /// A closure, which only the host thread of the launch may call.
    Closure(Rc<dyn Fn()>),
    Kernel(Box<Copies>),
}

impl Body {
    /// Returns a body that only the host thread of the launch calls.
    pub fn closure(body: impl Fn() + 'static) -> Self {
        Self { form: Form::Closure(Rc::new(body)) }
    }

    /// Returns the body of a kernel.
    pub fn kernel<K: Kernel>(kernel: K) -> Self {
        // SAFETY: the simulator checks what the contract of the kernel requires.
        let copy = move || -> Box<dyn Fn() + Send> { Box::new(move || unsafe { kernel.run() }) };
        Self { form: Form::Kernel(Box::new(copy)) }
    }

    /// Returns the body for the host thread of the launch.
    pub(super) fn copy(&self) -> Rc<dyn Fn()> {
        match &self.form {
            Form::Closure(body) => body.clone(),
            Form::Kernel(copy) => {
                let body: Box<dyn Fn()> = copy();
                Rc::from(body)
            }
        }
    }

    /// Returns a copy for each of `count` host threads, or `None` if they may not call the body.
    pub(super) fn copies(&self, count: usize) -> Option<Vec<Box<dyn Fn() + Send>>> {
        match &self.form {
            Form::Closure(_) => None,
            Form::Kernel(copy) => Some((0..count).map(|_| copy()).collect()),
        }
    }

    /// Returns true if several host threads may call copies of the body.
    pub(super) fn has_copies(&self) -> bool {
        matches!(self.form, Form::Kernel(_))
    }
}

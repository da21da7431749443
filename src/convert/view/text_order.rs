//! Sorts siblings by their position in the SQL. The ranges of siblings do not overlap. Therefore the location of any
//! node inside a sibling determines the sibling's place in the order.

use super::children::{Child, Children};
use super::node::Node;

/// Buffers for sorting, reused for all nodes.
#[derive(Default)]
pub(super) struct TextOrder {
    order: Vec<(i32, u32)>,
    nearby: Vec<Child>,
    unsorted: Vec<Child>,
}

/// Maximum number of nodes inside a sibling that are searched for a location if the sibling itself has none. If none of
/// these nodes has a location, the sibling's position is unknown. The limit keeps the total time linear in the number
/// of nodes.
const NEAREST: usize = 64;

impl TextOrder {
    /// Sorts siblings.
    ///
    /// # Safety
    /// The children must be valid.
    pub(super) unsafe fn sort(&mut self, children: &mut [Child]) {
        let mut last = 0;
        for child in &*children {
            // SAFETY: the caller meets this function's requirements.
            if let Some(location) = unsafe { self.location(*child) } {
                if location < last {
                    // SAFETY: the caller meets this function's requirements.
                    return unsafe { self.reorder(children) };
                }
                last = location;
            }
        }
    }

    /// # Safety
    /// Same as for [`TextOrder::sort`].
    #[inline(never)]
    unsafe fn reorder(&mut self, children: &mut [Child]) {
        let mut last = 0;
        self.order.clear();
        for (index, child) in children.iter().enumerate() {
            // SAFETY: the caller meets this function's requirements.
            last = unsafe { self.location(*child) }.unwrap_or(last);
            self.order.push((last, index as u32));
        }
        // A sibling without a location was given the location of the sibling before it (0 if it is the first sibling).
        // Therefore it stays after that sibling, or at the start.
        self.order.sort_unstable();
        self.unsorted.clear();
        self.unsorted.extend_from_slice(children);
        for (place, (_, index)) in children.iter_mut().zip(&self.order) {
            *place = self.unsorted[*index as usize];
        }
    }

    /// Returns the first location in the subtree of a node, in breadth-first order.
    ///
    /// # Safety
    /// The child must be valid.
    unsafe fn location(&mut self, child: Child) -> Option<i32> {
        // SAFETY: the caller meets this function's requirements.
        let node = unsafe { Node::from_c(child.c, 0) };
        set(node.raw_location()).or_else(|| {
            self.nearby.clear();
            self.nearby.extend(Children::of(node));
            // SAFETY: children of a valid node are valid.
            unsafe { self.location_nearby() }
        })
    }

    /// # Safety
    /// The nodes in `nearby` must be valid.
    #[inline(never)]
    unsafe fn location_nearby(&mut self) -> Option<i32> {
        let mut next = 0;
        while next < self.nearby.len().min(NEAREST) {
            // SAFETY: the caller meets this function's requirements; children of a valid node are valid.
            let child = unsafe { Node::from_c(self.nearby[next].c, 0) };
            if let Some(location) = set(child.raw_location()) {
                return Some(location);
            }
            self.nearby.extend(Children::of(child));
            next += 1;
        }
        None
    }
}

fn set(location: i32) -> Option<i32> {
    (location > 0).then_some(location)
}

// What other features may ask of the rows.
export { findSlot, listSlots, retireSlots } from './container-slots.repository.ts'

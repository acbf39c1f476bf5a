export { findSlot, listSlots, retireSlots } from './container-slots.repository.ts'

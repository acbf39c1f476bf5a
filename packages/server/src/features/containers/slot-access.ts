export { findSlot, listSlots, listSlotsOf, retireSlots } from './container-slots.repository.ts'

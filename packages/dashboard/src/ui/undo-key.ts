/** Control+Z, or ⌘Z, that nothing else has taken: where somebody types, it takes back what they typed. */
export function isUndoKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target, defaultPrevented } = event
  if (defaultPrevented || key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false
  return !(target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null)
}

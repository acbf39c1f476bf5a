/** Ctrl+Z or ⌘Z, except where the user is typing. */
export function isUndoKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target, defaultPrevented } = event
  if (defaultPrevented || key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false
  return !(target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null)
}

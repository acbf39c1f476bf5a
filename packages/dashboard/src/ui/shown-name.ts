/** A user-chosen name in visible form: control characters as symbols, without bidirectional controls. */
export const shownName = (name: string): string =>
  name
    .replaceAll(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, '\u{fffd}')
    .replaceAll(/[\u0000-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replaceAll('\u007f', '\u2421')

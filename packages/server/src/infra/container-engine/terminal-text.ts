// Colours and cursor moves: CSI, OSC (up to BEL or ST), and the short escapes. Each alternative is linear in its input.
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g
const unfinishedEscape = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?|[ -/]*)$/
// C0 but tab and newline, DEL, C1, and lone surrogates, which no UTF-8 can carry.
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Longer than any real sequence; what is longer is text with a stray escape in front. */
const longestEscape = 1024

/** Text for a log: no escape sequences, no control characters but newline and tab. */
export const plainText = (text: string): string =>
  text.replace(escapeSequence, '').replace(controlCharacter, '').toWellFormed()

// Colour, weight and their like: what shows a log as its program meant it, and can move nothing.
const colour = /(\u001b\[[0-9;:]*m)/

/** As `plainText`, with colours. */
export const colouredText = (text: string): string =>
  text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : plainText(part)))
    .join('')

/** `plainText` for text that comes in pieces: a sequence cut by the border of two pieces goes too. */
export function createPlainTextStream(clean = plainText): (piece: string) => string {
  let buffer = ''
  return (piece) => {
    const text = buffer + piece
    const cut = unfinishedEscape.exec(text)
    buffer = cut && text.length - cut.index <= longestEscape ? text.slice(cut.index) : ''
    return clean(text.slice(0, text.length - buffer.length))
  }
}

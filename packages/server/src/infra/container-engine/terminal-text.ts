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

/** `plainText` for text that comes in pieces: a sequence cut by the border of two pieces goes too. */
export function createPlainTextStream(): (piece: string) => string {
  let buffer = ''
  return (piece) => {
    const text = buffer + piece
    const cut = unfinishedEscape.exec(text)
    buffer = cut && text.length - cut.index <= longestEscape ? text.slice(cut.index) : ''
    return plainText(text.slice(0, text.length - buffer.length))
  }
}

// CSI, OSC (ended by BEL or ST) and short escapes. Each alternative is linear in its input.
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g
const unfinishedEscape = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?|[ -/]*)$/
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const longestEscape = 1024

/** Removes escape sequences and control characters except newline and tab. */
export const plainText = (text: string): string =>
  text.replace(escapeSequence, '').replace(controlCharacter, '').toWellFormed()

// SGR sequences: colours and weight; they cannot move the cursor.
const colour = /(\u001b\[[0-9;:]*m)/

export const colouredText = (text: string): string =>
  text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : plainText(part)))
    .join('')

/** `plainText` for streams: also removes sequences split across chunks. */
export function createPlainTextStream(clean = plainText): (piece: string) => string {
  let buffer = ''
  return (piece) => {
    const text = buffer + piece
    const cut = unfinishedEscape.exec(text)
    buffer = cut && text.length - cut.index <= longestEscape ? text.slice(cut.index) : ''
    return clean(text.slice(0, text.length - buffer.length))
  }
}

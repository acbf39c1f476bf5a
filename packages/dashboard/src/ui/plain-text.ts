// Bidirectional controls in a name would reorder the text around it.
const turning = /[\u202a-\u202e\u2066-\u2069]/g

export const plainText = (text: string): string => text.replaceAll(turning, '')

/** Shows bidirectional controls as escapes, for text that is inspected closely. */
export const spelledOut = (text: string): string =>
  text.replaceAll(turning, (character) => `\\u${character.charCodeAt(0).toString(16)}`)

// Whoever puts one of these into a name turns the words around it.
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** What people wrote, without what turns the text beside it around. */
export const plainText = (text: string): string => text.replaceAll(turning, '')

/** For where what a machine wrote is looked at closely: such characters stand there as their numbers. */
export const spelledOut = (text: string): string =>
  text.replaceAll(turning, (character) => `\\u${character.charCodeAt(0).toString(16)}`)

import { german } from './features/settings/setting-about.de.ts'

// "MAIL" is a word as well: without an underscore, only "MAIL=on" is meant.
const names = Object.keys(german).map((name) => (name.includes('_') ? name : `${name}=\\w+`))
const words = new RegExp(`\\b(?:${names.join('|')})\\b|\\bpanel\\.env\\b|(?<!\\w)(?:\\./panel|/api/|deploy/)\\S*`, 'g')

/** What only operators know and no page may offer as a remedy: environment variables, commands, files, API paths. */
export const operatorWordsIn = (text: string): string[] => text.match(words) ?? []

import { StreamLanguage, type StreamParser } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

const legacy = async (parser: Promise<StreamParser<unknown>>) => StreamLanguage.define(await parser)

/** Loaded on demand. Other files open as plain text. */
const languages: Record<string, () => Promise<Extension>> = {
  js: () => import('@codemirror/lang-javascript').then(({ javascript }) => javascript({ jsx: true })),
  ts: () => import('@codemirror/lang-javascript').then(({ javascript }) => javascript({ jsx: true, typescript: true })),
  html: () => import('@codemirror/lang-html').then(({ html }) => html()),
  css: () => import('@codemirror/lang-css').then(({ css }) => css()),
  json: () => import('@codemirror/lang-json').then(({ json }) => json()),
  php: () => import('@codemirror/lang-php').then(({ php }) => php()),
  py: () => import('@codemirror/lang-python').then(({ python }) => python()),
  yaml: () => import('@codemirror/lang-yaml').then(({ yaml }) => yaml()),
  md: () => import('@codemirror/lang-markdown').then(({ markdown }) => markdown()),
  sql: () => import('@codemirror/lang-sql').then(({ sql }) => sql()),
  xml: () => import('@codemirror/lang-xml').then(({ xml }) => xml()),
  sh: () => legacy(import('@codemirror/legacy-modes/mode/shell').then(({ shell }) => shell)),
  ini: () => legacy(import('@codemirror/legacy-modes/mode/properties').then(({ properties }) => properties)),
  toml: () => legacy(import('@codemirror/legacy-modes/mode/toml').then(({ toml }) => toml)),
  dockerfile: () => legacy(import('@codemirror/legacy-modes/mode/dockerfile').then(({ dockerFile }) => dockerFile)),
  conf: () => legacy(import('@codemirror/legacy-modes/mode/nginx').then(({ nginx }) => nginx))
}

const same: Record<string, string> = {
  mjs: 'js',
  cjs: 'js',
  jsx: 'js',
  tsx: 'ts',
  mts: 'ts',
  htm: 'html',
  vue: 'html',
  svelte: 'html',
  scss: 'css',
  less: 'css',
  phtml: 'php',
  yml: 'yaml',
  markdown: 'md',
  svg: 'xml',
  bash: 'sh',
  env: 'ini',
  properties: 'ini',
  htaccess: 'conf'
}

export async function languageOf(fileName: string): Promise<Extension> {
  const lower = fileName.toLowerCase()
  const ending = lower.startsWith('.env') ? 'env' : lower.slice(lower.lastIndexOf('.') + 1)
  const language = Object.hasOwn(same, ending) ? same[ending]! : ending
  return Object.hasOwn(languages, language) ? languages[language]!() : []
}

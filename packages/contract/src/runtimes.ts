export interface Runtime {
  /** Name of the language as people write it. */
  name: string
  /** Versions that projects can be built with, oldest first: a major version of Node.js, a minor version of Python. */
  versions: readonly string[]
  /** Used when neither the project's settings nor its repository name a version. */
  preferred: string
  /** First day without security fixes, by version (https://github.com/nodejs/release, https://devguide.python.org/versions). */
  endOfLife: Readonly<Record<string, string>>
}

export const nodeRuntime = {
  name: 'Node.js',
  versions: ['20', '22', '24', '26'],
  preferred: '24',
  endOfLife: { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30', 26: '2029-04-30' }
} as const satisfies Runtime

export const pythonRuntime = {
  name: 'Python',
  versions: ['3.10', '3.11', '3.12', '3.13', '3.14'],
  preferred: '3.13',
  endOfLife: {
    '3.10': '2026-10-31',
    '3.11': '2027-10-31',
    '3.12': '2028-10-31',
    '3.13': '2029-10-31',
    '3.14': '2030-10-31'
  }
} as const satisfies Runtime

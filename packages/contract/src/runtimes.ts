export interface Runtime {
  /** Name of the language as people write it. */
  name: string
  /** Versions that projects can be built with, oldest first: a major version of Node.js, a minor version of Python and PHP. */
  versions: readonly string[]
  /** Used when neither the project's settings nor its repository name a version. */
  preferred: string
  /** First day without security fixes, by version (https://github.com/nodejs/release, https://devguide.python.org/versions, https://www.php.net/supported-versions.php). */
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

export const phpRuntime = {
  name: 'PHP',
  versions: ['8.1', '8.2', '8.3', '8.4', '8.5'],
  preferred: '8.4',
  endOfLife: {
    '8.1': '2025-12-31',
    '8.2': '2026-12-31',
    '8.3': '2027-12-31',
    '8.4': '2028-12-31',
    '8.5': '2029-12-31'
  }
} as const satisfies Runtime

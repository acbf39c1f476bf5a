import type { CommandSource } from '@panel/contract/detection'
import { pythonFrameworks } from './frameworks.ts'
import { BuildError } from './image-builder.ts'
import { webProcess } from './procfile.ts'

export interface PythonStart {
  command: string
  source: CommandSource
  title: string
  framework?: string
  server: 'gunicorn' | 'uvicorn' | undefined
}

const entryFiles = ['asgi', 'wsgi', 'app', 'main', 'application', 'server', 'run', 'app/main', 'app/app', 'app/__init__', 'src/main', 'src/app'] // oxfmt-ignore

const maxLineLength = 2000

const moduleFile = /^[A-Za-z_]\w*(\/[A-Za-z_]\w*)?\.py$/

export const pythonStartFiles = (files: ReadonlySet<string>): string[] => [
  ...['Procfile', 'manage.py', ...entryFiles.map((name) => `${name}.py`)].filter((path) => files.has(path)),
  ...(files.has('manage.py') ? settingsFiles(files) : [])
]

const settingsFiles = (files: ReadonlySet<string>): string[] =>
  [...files].filter((path) => /^[A-Za-z_]\w{0,100}\/settings(\.py|\/\w{1,100}\.py)$/.test(path)).slice(0, 20)

export function pythonStart(
  files: ReadonlySet<string>,
  text: ReadonlyMap<string, string>,
  startCmd: string | undefined
): PythonStart {
  const known = django(files, text) ?? application(files, text)
  const framework = known?.framework === undefined ? {} : { framework: known.framework }
  if (startCmd !== undefined)
    return { command: startCmd, source: 'SETTING', title: 'the start command', server: undefined, ...framework }
  const web = webProcess(text.get('Procfile'))
  if (web !== undefined)
    return { command: web, source: 'PROCFILE', title: 'web process of the Procfile', server: undefined, ...framework }
  const found = known ?? script(files, text)
  if (found) return found
  throw new BuildError({ code: 'NO_PYTHON_START' })
}

/** Django's collectstatic, if the settings define STATIC_ROOT. */
export function pythonBuild(framework: string | undefined, text: ReadonlyMap<string, string>): string | undefined {
  const collects = [...text].some(
    ([path, content]) =>
      path.includes('/settings') && linesOf(content).some((line) => /^[ \t]*STATIC_ROOT[ \t]*=/.test(line))
  )
  return framework === 'Django' && collects ? 'python manage.py collectstatic --noinput' : undefined
}

function django(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): PythonStart | undefined {
  const manage = text.get('manage.py')
  if (manage === undefined) return undefined
  const settings = /DJANGO_SETTINGS_MODULE['"]\s{0,100},\s{0,100}['"]([A-Za-z_]\w{0,100})\./.exec(manage)?.[1]
  const packages = [...files]
    .map((path) => /^([A-Za-z_]\w*)\/wsgi\.py$/.exec(path)?.[1])
    .filter((name) => name !== undefined)
  const name = settings !== undefined && packages.includes(settings) ? settings : packages.sort()[0]
  return name === undefined ? undefined : gunicorn(`${name}.wsgi`, 'Django')
}

const constructed = new RegExp(
  `^([A-Za-z_]\\w*)[ \\t]*(?::[^=]+)?=[ \\t]*(?:[A-Za-z_]\\w*\\.)*(${Object.keys(pythonFrameworks).join('|')})\\(`
)
const factory = /^def (create_app|make_app)\(/

function application(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): PythonStart | undefined {
  for (const name of entryFiles) {
    const path = `${name}.py`
    const content = files.has(path) && moduleFile.test(path) ? text.get(path) : undefined
    if (content === undefined) continue
    // src/ is on the search path, app/ is a package.
    const module = name
      .replace(/^src\//, '')
      .replace(/\/__init__$/, '')
      .replaceAll('/', '.')
    const directory = name.startsWith('src/') ? 'src' : undefined
    const [, variable, framework] = firstMatch(content, constructed) ?? []
    if (framework !== undefined)
      return serve[pythonFrameworks[framework]!](`${module}:${variable}`, framework, directory)
    const made = /\bflask\b/i.test(content) ? firstMatch(content, factory) : undefined
    if (made) return gunicorn(`'${module}:${made[1]}()'`, 'Flask', directory)
    const exported = exportedApplication(content)
    if (exported !== undefined && name === 'wsgi') return gunicorn(`wsgi:${exported}`, 'WSGI')
    if (exported !== undefined && name === 'asgi') return uvicorn(`asgi:${exported}`, 'ASGI')
  }
  return undefined
}

function exportedApplication(content: string): string | undefined {
  for (const line of linesOf(content)) {
    const assigned = /^(application|app)[ \t]*=/.exec(line)?.[1]
    const [, imported = ''] = /^from[ \t]+\S+[ \t]+import[ \t](.*)$/.exec(line) ?? []
    const found = assigned ?? /\b(application|app)\b/.exec(imported)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

/** Applied per line: on a whole file the patterns would backtrack over whitespace. */
function firstMatch(text: string | undefined, pattern: RegExp): RegExpExecArray | undefined {
  for (const line of linesOf(text ?? '')) {
    const found = pattern.exec(line)
    if (found) return found
  }
  return undefined
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.slice(0, maxLineLength).trimEnd())

function script(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): PythonStart | undefined {
  const path = ['main.py', 'app.py', 'server.py', 'run.py'].find(
    (candidate) =>
      files.has(candidate) && /\b(serve_forever|run_app|make_server|serve|run|listen)\(/.test(text.get(candidate) ?? '')
  )
  if (path === undefined) return undefined
  return { command: `exec python ${path}`, source: 'FILE', title: `python ${path}`, server: undefined }
}

// `python -m` uses the project's venv wherever the program is installed. gunicorn reads the number of workers from
// WEB_CONCURRENCY.
const gunicorn = (target: string, framework: string, directory?: string): PythonStart => ({
  command:
    `exec python -m gunicorn --bind "0.0.0.0:$PORT" --threads 4 --worker-tmp-dir /tmp --access-logfile - ` +
    `${directory === undefined ? '' : `--pythonpath ${directory} `}${target}`,
  source: 'FRAMEWORK',
  title: `${framework} with gunicorn`,
  framework,
  server: 'gunicorn'
})

const uvicorn = (target: string, framework: string, directory?: string): PythonStart => ({
  command: `exec python -m uvicorn --host 0.0.0.0 --port "$PORT" ${directory === undefined ? '' : `--app-dir ${directory} `}${target}`,
  source: 'FRAMEWORK',
  title: `${framework} with uvicorn`,
  framework,
  server: 'uvicorn'
})

const serve = { gunicorn, uvicorn }

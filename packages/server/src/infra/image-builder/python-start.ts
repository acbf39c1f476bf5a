import { BuildError } from './image-builder.ts'

export interface PythonStart {
  /** Run by `sh -c` inside the container; $PORT is set there. */
  command: string
  title: string
  /** The Python package of the server that has to be there. */
  server: 'gunicorn' | 'uvicorn' | undefined
}

const entryFiles = ['asgi', 'wsgi', 'app', 'main', 'application', 'server', 'run', 'app/main', 'app/app', 'app/__init__', 'src/main', 'src/app'] // prettier-ignore

/** Of a line that is looked at. */
const maxLineLength = 2000

const moduleFile = /^[A-Za-z_]\w*(\/[A-Za-z_]\w*)?\.py$/

/** Files that may tell how the project starts. */
export const pythonStartFiles = (files: ReadonlySet<string>): string[] =>
  ['Procfile', 'manage.py', ...entryFiles.map((name) => `${name}.py`)].filter((path) => files.has(path))

/** The start command, `web:` of a Procfile, Django, or an application object of a known framework. */
export function pythonStart(
  files: ReadonlySet<string>,
  text: ReadonlyMap<string, string>,
  startCmd: string | undefined
): PythonStart {
  if (startCmd !== undefined) return { command: startCmd, title: 'the start command', server: undefined }
  const web = webOf(text.get('Procfile') ?? '')
  if (web !== undefined) return { command: web, title: 'web of the Procfile', server: undefined }
  const found = django(files, text) ?? application(files, text) ?? script(files, text)
  if (found) return found
  throw new BuildError(
    'It is not clear how this Python project starts: set a start command (listening on 0.0.0.0:$PORT), or add a Procfile with a ' +
      '"web:" line, a Django manage.py, or an app.py, main.py, wsgi.py or asgi.py with a Flask, FastAPI or Starlette application.'
  )
}

function webOf(procfile: string): string | undefined {
  const lines = procfile.split('\n').filter((line) => line.startsWith('web:'))
  return lines.map((line) => line.slice('web:'.length).trim()).find((command) => command !== '')
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

// For one line each.
const wsgi = /^([A-Za-z_]\w*)[ \t]*(?::[^=]+)?=[ \t]*(?:[A-Za-z_]\w*\.)*(Flask|Bottle|Falcon)\(/
const asgi = /^([A-Za-z_]\w*)[ \t]*(?::[^=]+)?=[ \t]*(?:[A-Za-z_]\w*\.)*(FastAPI|Starlette|Quart|Litestar|FastHTML)\(/
const factory = /^def (create_app|make_app)\(/

function application(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): PythonStart | undefined {
  for (const name of entryFiles) {
    const path = `${name}.py`
    const content = files.has(path) && moduleFile.test(path) ? text.get(path) : undefined
    if (content === undefined) continue
    // src/ is a directory on the search path, app/ a package.
    const module = name
      .replace(/^src\//, '')
      .replace(/\/__init__$/, '')
      .replaceAll('/', '.')
    const directory = name.startsWith('src/') ? 'src' : undefined
    const asynchronous = firstMatch(content, asgi)
    if (asynchronous) return uvicorn(`${module}:${asynchronous[1]}`, asynchronous[2]!, directory)
    const synchronous = firstMatch(content, wsgi)
    if (synchronous) return gunicorn(`${module}:${synchronous[1]}`, synchronous[2]!, directory)
    const made = /\bflask\b/i.test(content) ? firstMatch(content, factory) : undefined
    if (made) return gunicorn(`'${module}:${made[1]}()'`, 'Flask', directory)
    const variable = exportedApplication(content)
    if (variable !== undefined && name === 'wsgi') return gunicorn(`wsgi:${variable}`, 'WSGI')
    if (variable !== undefined && name === 'asgi') return uvicorn(`asgi:${variable}`, 'ASGI')
  }
  return undefined
}

/** `from a import app`, `application = …`. */
function exportedApplication(content: string): string | undefined {
  for (const line of linesOf(content)) {
    const assigned = /^(application|app)[ \t]*=/.exec(line)?.[1]
    const [, imported = ''] = /^from[ \t]+\S+[ \t]+import[ \t](.*)$/.exec(line) ?? []
    const found = assigned ?? /\b(application|app)\b/.exec(imported)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

/** The first line that matches. The patterns are for lines: over a whole file their spaces would be tried again and again. */
function firstMatch(text: string | undefined, pattern: RegExp): RegExpExecArray | undefined {
  for (const line of linesOf(text ?? '')) {
    const found = pattern.exec(line)
    if (found) return found
  }
  return undefined
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.slice(0, maxLineLength).trimEnd())

/** A program that serves by itself, such as one on http.server or aiohttp. */
function script(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): PythonStart | undefined {
  const path = ['main.py', 'app.py', 'server.py', 'run.py'].find(
    (candidate) =>
      files.has(candidate) && /\b(serve_forever|run_app|make_server|serve|run|listen)\(/.test(text.get(candidate) ?? '')
  )
  return path === undefined ? undefined : { command: `exec python ${path}`, title: `python ${path}`, server: undefined }
}

// Through the module, so that the project's own environment is used wherever the program itself is installed.
// gunicorn takes the number of workers from WEB_CONCURRENCY.
const gunicorn = (target: string, framework: string, directory?: string): PythonStart => ({
  command:
    `exec python -m gunicorn --bind "0.0.0.0:$PORT" --threads 4 --worker-tmp-dir /tmp --access-logfile - ` +
    `${directory === undefined ? '' : `--pythonpath ${directory} `}${target}`,
  title: `${framework} with gunicorn`,
  server: 'gunicorn'
})

const uvicorn = (target: string, framework: string, directory?: string): PythonStart => ({
  command: `exec python -m uvicorn --host 0.0.0.0 --port "$PORT" ${directory === undefined ? '' : `--app-dir ${directory} `}${target}`,
  title: `${framework} with uvicorn`,
  server: 'uvicorn'
})

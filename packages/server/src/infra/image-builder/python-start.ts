import { BuildError } from './image-builder.ts'

export interface PythonStart {
  /** Run by `sh -c` inside the container; $PORT is set there. */
  command: string
  title: string
  /** The Python package of the server that has to be there. */
  server: 'gunicorn' | 'uvicorn' | undefined
}

const entryFiles = ['asgi', 'wsgi', 'app', 'main', 'application', 'server', 'run', 'app/main', 'app/app', 'app/__init__', 'src/main', 'src/app'] // prettier-ignore

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
  const web = /^web:[ \t]*(\S.*)$/m.exec(text.get('Procfile') ?? '')?.[1]?.trim()
  if (web !== undefined) return { command: web, title: 'web of the Procfile', server: undefined }
  const found = django(files, text) ?? application(files, text) ?? script(files, text)
  if (found) return found
  throw new BuildError(
    'It is not clear how this Python project starts: set a start command (listening on 0.0.0.0:$PORT), or add a Procfile with a ' +
      '"web:" line, a Django manage.py, or an app.py, main.py, wsgi.py or asgi.py with a Flask, FastAPI or Starlette application.'
  )
}

function django(files: ReadonlySet<string>, text: ReadonlyMap<string, string>): PythonStart | undefined {
  const manage = text.get('manage.py')
  if (manage === undefined) return undefined
  const settings = /DJANGO_SETTINGS_MODULE['"]\s*,\s*['"]([A-Za-z_]\w*)\./.exec(manage)?.[1]
  const packages = [...files]
    .map((path) => /^([A-Za-z_]\w*)\/wsgi\.py$/.exec(path)?.[1])
    .filter((name) => name !== undefined)
  const name = settings !== undefined && packages.includes(settings) ? settings : packages.sort()[0]
  return name === undefined ? undefined : gunicorn(`${name}.wsgi`, 'Django')
}

const wsgi = /^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*(?:[A-Za-z_]\w*\.)*(Flask|Bottle|Falcon)\(/m
const asgi = /^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*(?:[A-Za-z_]\w*\.)*(FastAPI|Starlette|Quart|Litestar|FastHTML)\(/m
const factory = /^def (create_app|make_app)\(/m

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
    const asynchronous = asgi.exec(content)
    if (asynchronous) return uvicorn(`${module}:${asynchronous[1]}`, asynchronous[2]!, directory)
    const synchronous = wsgi.exec(content)
    if (synchronous) return gunicorn(`${module}:${synchronous[1]}`, synchronous[2]!, directory)
    if (/\bflask\b/i.test(content) && factory.test(content))
      return gunicorn(`'${module}:${factory.exec(content)![1]}()'`, 'Flask', directory)
    const exported = /^(?:from\s+\S+\s+import\s+.*?\b(application|app)\b|(application|app)\s*=)/m.exec(content)
    const variable = exported?.[1] ?? exported?.[2]
    if (variable !== undefined && name === 'wsgi') return gunicorn(`wsgi:${variable}`, 'WSGI')
    if (variable !== undefined && name === 'asgi') return uvicorn(`asgi:${variable}`, 'ASGI')
  }
  return undefined
}

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

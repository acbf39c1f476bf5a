import { expect, test } from 'vitest'
import { pythonDependencies } from './python-requirements.ts'

const found = (files: Record<string, string>) => pythonDependencies(new Map(Object.entries(files)))

const lock = `
[[package]]
name = "flask"
version = "2.2.2"
[[package]]
name = "both"
version = "1"
[[package]]
name = "both"
version = "2"
[[package]]
name = "app"
version = "0.1"
source = { virtual = "." }
[[package]]
name = "evil\\n--index-url=x"
version = "1"
files = [
    {file = "x", hash = "y"},
]
[[package]]
name = "cloned"
version = "3"
[package.dependencies]
name = "other"
[package.source]
type = "git"
[[package]]
name = "mirrored"
version = "4.5"
source = { registry = "https://pypi.example.com/simple" }
`

test.each<[string, Record<string, string>, ReturnType<typeof found>]>([
  ['nothing', {}, undefined],
  ['requirements.txt', { 'requirements.txt': 'a', Pipfile: '' }, { title: 'requirements.txt', requirements: undefined, constraints: [], installsProject: false }],
  ['PEP 621', { 'pyproject.toml': '[project]\nname = "x"\ndependencies = ["a>=1", "b ; x\\n-r y"]' }, { title: 'pyproject.toml', requirements: ['a>=1', 'b ; x -r y'], constraints: [], installsProject: false }],
  ['a package', { 'pyproject.toml': '[build-system]\nrequires = []\n[project]\ndependencies = ["a"]' }, { title: 'pyproject.toml', requirements: ['a'], constraints: [], installsProject: true }],
  ['poetry with its lock', { 'pyproject.toml': '[tool.poetry]\npackage-mode = false\n[tool.poetry.dependencies]\npython = "^3"\nflask = {version = "^2", extras = ["async"]}\nmaybe = {version = "1", optional = true}', 'poetry.lock': lock }, { title: 'pyproject.toml and poetry.lock', requirements: ['flask[async]'], constraints: ['flask==2.2.2', 'mirrored==4.5'], installsProject: false }],
  ['poetry without a lock', { 'pyproject.toml': '[tool.poetry.dependencies]\nflask = "^2"' }, { title: 'pyproject.toml', requirements: [], constraints: [], installsProject: true }],
  ['uv', { 'pyproject.toml': '[project]\ndependencies = ["flask"]', 'uv.lock': lock }, { title: 'pyproject.toml and uv.lock', requirements: ['flask'], constraints: ['flask==2.2.2', 'mirrored==4.5'], installsProject: false }],
  ['Pipfile.lock', { 'Pipfile.lock': '{"default": {"a": {"version": "==1", "extras": ["x"], "markers": "m"}, "b": {}}}' }, { title: 'Pipfile.lock', requirements: ['a[x]==1 ; m', 'b'], constraints: [], installsProject: false }],
  ['Pipfile', { Pipfile: '[packages]\na = "*"\nb = ">=1"' }, { title: 'Pipfile', requirements: ['a', 'b>=1'], constraints: [], installsProject: false }],
  ['setup.py', { 'setup.py': '' }, { title: 'setup.py', requirements: [], constraints: [], installsProject: true }]
])('%s', (_, files, expected) => {
  expect(found(files)).toEqual(expected)
}) // oxfmt-ignore

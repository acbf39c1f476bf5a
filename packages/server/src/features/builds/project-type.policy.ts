import { phpIndexes, phpSigns } from '../../infra/image-builder/image-builder.ts'
import type { ProjectType } from '@panel/contract/projects'

const pythonManifests = [
  'requirements.txt',
  'pyproject.toml',
  'Pipfile',
  'setup.py',
  'manage.py',
  'uv.lock',
  'poetry.lock'
]
const sitePages = ['index.html', 'public/index.html', 'index.htm']

/** An explicit build definition wins over the language. */
export function suggestedType(files: ReadonlySet<string>): ProjectType {
  if (files.has('Dockerfile')) return 'DOCKERFILE'
  // A package.json beside it builds the assets of the site.
  if (files.has('composer.json') && [...phpIndexes, ...phpSigns].some((name) => files.has(name))) return 'PHP'
  if (files.has('package.json')) return 'NODEJS'
  if (pythonManifests.some((name) => files.has(name))) return 'PYTHON'
  if (files.has('composer.json') || phpIndexes.some((name) => files.has(name))) return 'PHP'
  if (sitePages.some((name) => files.has(name))) return 'STATIC'
  if ([...files].some((name) => /^[^/]+\.py$/.test(name))) return 'PYTHON'
  return [...files].some((name) => /^[^/]+\.html?$/.test(name)) ? 'STATIC' : 'NODEJS'
}

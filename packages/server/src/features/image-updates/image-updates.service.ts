import { Id } from '@panel/contract/common'
import { type FailureCode, failureTexts } from '@panel/contract/failure-texts'
import type { ImageUpdate } from '@panel/contract/registries'
import { knownSentences, type Sentence, sentenceText } from '@panel/contract/sentences'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { notify } from '../notifications/notify-access.ts'
import { findProject, getOwnProject, lockProject, type ProjectRow } from '../projects/project-access.ts'
import { resolveImage } from '../registries/image-source.service.ts'
import { findImageCheck, findLiveImage, saveImageCheck } from './image-checks.repository.ts'
import { isNewerImage, nextCheckAt } from './image-update.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'events' | 'imageRegistry' | 'jobs' | 'logger' | 'now' | 'secretBox'>

// A registry that hangs holds a check for its time limit.
const checkLimit = createConcurrencyLimit({ total: 32, perKey: 2, what: 'image checks' })

export async function getImageUpdate(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string
): Promise<ImageUpdate> {
  return updateOf(db, ofTypeImage(await getOwnProject(db, projectId, userId)))
}

/** Asks the registry at once. Runs in the worker, which has the encryption key. */
export const checkImageNow = workerVerb('imageUpdates.check', [Id, Id], checkNowHere)

async function checkNowHere(deps: Deps, userId: string, projectId: string): Promise<ImageUpdate> {
  const project = ofTypeImage(await getOwnProject(deps.db, projectId, userId))
  await checkLimit.run(userId, () => checkImage(deps, project))
  return updateOf(deps.db, project)
}

function ofTypeImage(project: ProjectRow): ProjectRow {
  if (project.type !== 'IMAGE') throw new AppError('INVALID_TARGET', 'Only projects of the type IMAGE have an image.')
  return project
}

async function updateOf(db: Deps['db'], { id, image }: ProjectRow): Promise<ImageUpdate> {
  const [found, live] = await Promise.all([findImageCheck(db, id), findLiveImage(db, id)])
  const check = found?.reference === image ? found : undefined
  const sentences = knownSentences(failureTexts, check?.problem ?? [])
  return {
    reference: image,
    deployedDigest: live?.digest ?? null,
    latestDigest: check?.digest ?? null,
    isNewer: isNewerImage(live, check),
    checkedAt: check?.checkedAt.toISOString() ?? null,
    problem: sentences.length === 0 ? null : sentenceText(failureTexts, sentences),
    sentences
  }
}

/** Records what the tag names now. Deploys a newer image if the project wants that, else notifies its owner; each digest once. */
async function checkImage(deps: Deps, project: ProjectRow): Promise<void> {
  const { id, image } = project
  if (image === null) return
  const result = await findDigest(deps, project)
  await deps.db.transaction(async (trx) => {
    const current = await lockProject(trx, id)
    if (!current || current.image !== image) return
    const before = await findImageCheck(trx, id)
    const now = deps.now()
    const digest = result.digest ?? (before?.reference === image ? before.digest : null)
    const check = { reference: image, digest }
    const isNewer = isNewerImage(await findLiveImage(trx, id), check)
    const isDue = isNewer && current.imageAutoDeploy && current.status === 'ACTIVE' && digest !== before?.deployedDigest
    const isNews = isNewer && !current.imageAutoDeploy && digest !== before?.notifiedDigest
    if (isDue) await queueDeployment(deps, trx, current, { trigger: 'WEBHOOK' })
    if (isNews) await notifyOwner(deps, trx, current, check)
    await saveImageCheck(trx, {
      projectId: id,
      ...check,
      checkedAt: now,
      nextAt: nextCheckAt(now, Math.random()),
      problem: result.problem,
      ...(isDue && { deployedDigest: digest }),
      ...(isNews && { notifiedDigest: digest })
    })
  })
}

const notifyOwner = (
  deps: Deps,
  trx: Transaction,
  { id, name, userId }: ProjectRow,
  { reference, digest }: { reference: string; digest: string | null }
): Promise<void> =>
  notify(deps, trx, {
    userId,
    kind: 'image-newer',
    subject: { type: 'project', id, name },
    text: [
      { code: 'IMAGE_NEWER', values: { image: reference, project: name, digest: digest ?? '' } },
      { code: 'DEPLOY_NEWER_IMAGE' }
    ],
    link: `/projects/${id}`
  })

interface CheckResult {
  digest: string | undefined
  problem: Sentence<FailureCode>[] | null
}

async function findDigest(deps: Deps, project: ProjectRow): Promise<CheckResult> {
  try {
    return { digest: (await resolveImage(deps, project)).digest, problem: null }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    return { digest: undefined, problem: knownSentences(failureTexts, error.sentences) }
  }
}

export const checkImageOf = async (deps: Deps, projectId: string): Promise<void> => {
  const project = await findProject(deps.db, projectId)
  if (project) await checkImage(deps, project)
}

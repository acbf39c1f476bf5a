import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { shownName } from '../../ui/shown-name.ts'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { useRowsInSight } from '../../ui/use-rows-in-sight.ts'
import { FileDialog, type FileAction } from './file-dialog.tsx'
import { FileRow } from './file-row.tsx'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'
import { type FileNode, foldersKey } from './files.queries.ts'

/** Must match the CSS. */
const height = { row: 41, card: 64 }

/** Duration of the dialog’s exit transition. */
const afterDialogMs = 150

interface FileTableProps {
  projectId: string
  folder: string
  nodes: readonly FileNode[]
}

export function FileTable({ projectId, folder, nodes }: FileTableProps) {
  const t = useMessages(fileMessages)
  const [requested, setRequested] = useState<{ action: FileAction; node: FileNode }>()
  const remove = useDelayedAction({
    run: ({ id }: { id: string; name: string }) =>
      data(api.DELETE('/api/files/{id}/delete', { params: { path: { id: projectId } }, body: { path: id } })),
    invalidates: [foldersKey(projectId)],
    doneMessage: ({ name }) => t('deleted', { name: shownName(name) })
  })
  const visible = nodes.filter(({ path }) => !remove.pending.has(path))
  const { body, shown, before, after } = useRowsInSight(visible, height)
  const onAction = (action: FileAction | 'deleteFile', node: FileNode) => {
    if (action === 'deleteFile') remove.start({ id: node.path, name: node.name })
    else setRequested({ action, node })
  }
  const close = () => {
    const path = requested?.node.path ?? ''
    setRequested(undefined)
    // The menu item is gone, so focus returns to the row’s button.
    setTimeout(
      () => document.querySelector<HTMLElement>(`[data-actions="${CSS.escape(path)}"]`)?.focus(),
      afterDialogMs
    )
  }
  return (
    <>
      <table className={`${card.table} ${card.cards} ${classes.table}`} aria-rowcount={visible.length + 1}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col" className={card.end}>
              {t('size')}
            </th>
            <th scope="col">{t('mode')}</th>
            <th scope="col">{t('changed')}</th>
            <td />
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map((node) => (
            <FileRow key={node.path} projectId={projectId} folder={folder} node={node} onAction={onAction} />
          ))}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
      {requested && <FileDialog projectId={projectId} {...requested} onClose={close} />}
    </>
  )
}

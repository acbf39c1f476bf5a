import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { ProcessRow } from './process-row.tsx'
import { processMessages } from './processes.messages.ts'
import { deleteProcess, processesKey, type ProjectProcess } from './processes.queries.ts'

interface ProcessTableProps {
  projectId: string
  processes: readonly ProjectProcess[]
  onEdit(process: ProjectProcess): void
}

export function ProcessTable({ projectId, processes, onEdit }: ProcessTableProps) {
  const t = useMessages(processMessages)
  const remove = useDelayedAction({
    run: ({ id }: { id: string }) => deleteProcess(projectId, id),
    invalidates: [processesKey(projectId)],
    doneMessage: ({ id }) => t('deleted', { name: id })
  })
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('process')}</th>
          <th scope="col">{t('command')}</th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('instances')}</th>
          <th scope="col" className={card.end}>
            {t('memory')}
          </th>
          <th scope="col" className={card.end}>
            {t('cpu')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {processes
          .filter(({ name }) => !remove.pending.has(name))
          .map((process) => (
            <ProcessRow
              key={process.name}
              projectId={projectId}
              process={process}
              onEdit={onEdit}
              onDelete={() => remove.start({ id: process.name })}
            />
          ))}
      </tbody>
    </table>
  )
}

import { useParams, useSearch } from '@tanstack/react-router'
import { ProjectGroups } from './project-groups.tsx'
import { VariableSections } from './variable-sections.tsx'

const from = '/signed-in/projects/$projectId/variables'

export function VariablesTab() {
  const { projectId } = useParams({ from })
  const { q = '' } = useSearch({ from })
  return (
    <>
      <VariableSections holder={{ kind: 'project', id: projectId }} search={q} />
      <ProjectGroups projectId={projectId} />
    </>
  )
}

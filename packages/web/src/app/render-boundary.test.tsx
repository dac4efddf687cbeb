import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { RenderBoundary } from './render-boundary.tsx'

function BrokenScreen(): never {
  throw new Error('a fault in a screen')
}

test('8.42 a screen that fails to render says so and can be refreshed', () => {
  // React reports the fault there as well.
  const report = vi.spyOn(console, 'error').mockReturnValue()
  render(
    <RenderBoundary>
      <BrokenScreen />
    </RenderBoundary>,
  )
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong. Please try refreshing the page.')
  expect(screen.getByRole('button', { name: 'Refresh the page' })).toBeDefined()
  report.mockRestore()
})

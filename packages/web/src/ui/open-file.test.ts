import { expect, onTestFinished, test, vi } from 'vitest'
import { openBlob } from './open-file.ts'

test('where the browser opens no tab, the file is saved under its name', () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  const names: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  onTestFinished(() => {
    open.mockRestore()
    click.mockRestore()
  })
  openBlob(new Blob(['%PDF'], { type: 'application/pdf' }), 'content_ada.pdf')
  expect(names).toEqual(['content_ada.pdf'])
})

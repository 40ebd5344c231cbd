import { Component, CUSTOM_ELEMENTS_SCHEMA, effect, input, signal, viewChild, type ElementRef } from '@angular/core'
import type { PagePreviewElement } from 'page-preview/element'

// Brackets set a property. Angular reads the prefix of `page-preview:load` in a template as a global target such as
// `window:`, so the class adds the event listener itself.
@Component({
  selector: 'app-reading',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <button (click)="layout.set('row')">Show it as a row</button>
    <page-preview #preview [url]="url()" [layout]="layout()" [screenshot]="{ element: '#hero' }">
      <a [href]="url()">{{ title() }}</a>
    </page-preview>
    <output>{{ loaded() }}</output>
  `,
})
export class Reading {
  readonly url = input.required<string>()
  readonly title = input('')
  readonly layout = signal('card')
  readonly loaded = signal('')
  readonly preview = viewChild.required<ElementRef<PagePreviewElement>>('preview')

  readonly listening = effect(() => {
    const { nativeElement } = this.preview()
    nativeElement.addEventListener('page-preview:load', ({ detail }) => this.loaded.set(detail.title ?? ''))
  })
}

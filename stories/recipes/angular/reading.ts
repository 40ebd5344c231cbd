import { Component, CUSTOM_ELEMENTS_SCHEMA, effect, input, signal, viewChild, type ElementRef } from '@angular/core'
import type { PagePreviewElement } from 'page-preview/element'

// A name in brackets sets the property. What stands before a colon in a template is the window or the document for
// Angular, so that the class listens to the events by itself.
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

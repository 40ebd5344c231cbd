import { Component, provideZonelessChangeDetection, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { Reading } from './reading'

const [first = '', second = ''] = new URLSearchParams(location.search).getAll('page')

@Component({
  selector: 'app-root',
  imports: [Reading],
  template: `
    <h1>Worth reading</h1>
    @if (isOpen()) {
      <app-reading [url]="url()" title="Mine" />
    }
    <button class="next" (click)="next()">The next one</button>
    <button class="close" (click)="isOpen.set(false)">Enough</button>
  `,
})
class App {
  readonly isOpen = signal(true)
  readonly url = signal(first)

  next() {
    this.url.set(second)
  }
}

await bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] })

import { Preview } from 'page-preview/parts'

export default function Author() {
  return (
    <Preview.Root url="https://tides.example" screenshot className="page-preview">
      <Preview.Media className="pp-media">
        <Preview.Image className="pp-image" />
      </Preview.Media>
      <div className="pp-body">
        <div className="pp-text">
          <Preview.Link className="pp-link pp-title" />
          <Preview.Description className="pp-description block" />
        </div>
        <p className="pp-site">
          <Preview.Publisher className="font-medium" />
          <Preview.Author />
          <Preview.Date />
        </p>
      </div>
    </Preview.Root>
  )
}

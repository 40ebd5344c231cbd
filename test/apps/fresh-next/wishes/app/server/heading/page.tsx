import { Preview } from 'page-preview/parts'

export default function Heading() {
  return (
    <Preview.Root url="https://tides.example" screenshot className="page-preview">
      <Preview.Media className="pp-media">
        <Preview.Image className="pp-image" />
      </Preview.Media>
      <div className="pp-body">
        <div className="pp-text">
          <Preview.Link className="pp-link">
            <Preview.Title className="pp-title" render={<h3 />} />
          </Preview.Link>
          <Preview.Description className="pp-description" />
        </div>
        <Preview.Site className="pp-site">
          <Preview.Icon className="pp-icon" />
          <Preview.Host className="pp-host" />
        </Preview.Site>
      </div>
    </Preview.Root>
  )
}

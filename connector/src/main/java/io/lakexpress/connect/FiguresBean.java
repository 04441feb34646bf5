package io.lakexpress.connect;

import java.util.List;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;

/** Figures as the attributes of an MBean, all of one moment where they are asked for together. */
final class FiguresBean<T> implements DynamicMBean {
  private final String description;
  private final List<Figure<T>> figures;
  private final Supplier<T> source;

  FiguresBean(String description, List<Figure<T>> figures, Supplier<T> source) {
    this.description = description;
    this.figures = figures;
    this.source = source;
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    for (Figure<T> figure : figures) {
      if (figure.name().equals(attribute)) {
        return figure.value().apply(source.get());
      }
    }
    throw new AttributeNotFoundException("No attribute " + attribute);
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    List<String> wanted = List.of(attributes);
    T now = source.get();
    AttributeList answer = new AttributeList();
    for (Figure<T> figure : figures) {
      if (wanted.contains(figure.name())) {
        answer.add(new Attribute(figure.name(), figure.value().apply(now)));
      }
    }
    return answer;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException("No attribute " + attribute.getName() + " to write");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String actionName, Object[] params, String[] signature) {
    throw new UnsupportedOperationException("No operation " + actionName);
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] attributes =
        figures.stream()
            .map(
                figure ->
                    new MBeanAttributeInfo(
                        figure.name(),
                        figure.type().getName(),
                        figure.description(),
                        true,
                        false,
                        false))
            .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(FiguresBean.class.getName(), description, attributes, null, null, null);
  }
}
